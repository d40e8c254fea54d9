/* Pages that follow what happens: asked for again, and mended where they have changed. */
import { ask, leave, root, say, wait } from "./service.js";

const MOST_OFTEN = 1000;
const PAUSE = 5000;
const EVENTS = ["state", "progress", "end", "jobs", "summary", "counts"];
const content = document.getElementById("content");
const followed = content.dataset.follow;

/* One stream per page that is looked at: browsers have six connections for all pages of a host. */
let stream = null;
function open() {
	if (document.hidden || stream) return;
	stream = new EventSource(root + followed);
	for (const name of EVENTS) stream.addEventListener(name, refresh);
	stream.addEventListener("closed", refused);
	stream.onerror = () => stream?.readyState === EventSource.CLOSED && refused();
}
function close() {
	stream?.close();
	stream = null;
}
/* A stream does not say why it is refused; who is not known any more is led to the login. */
async function refused() {
	close();
	await ask("/v1/summary").catch(({ details }) => details?.status === 401 && location.reload());
	await wait(PAUSE);
	open();
}

/** Do it now, or as soon as it may be done again. */
let busy = false, again = false;
async function refresh() {
	if (busy) return void (again = true);
	busy = true;
	await renew().catch(({ details }) => details?.status === 404 && location.reload());
	await wait(MOST_OFTEN);
	busy = false;
	if (again) refresh((again = false));
}

async function renew() {
	const answer = await ask(location.pathname.slice(root.length) + location.search, { headers: { Accept: "text/html" }, cache: "no-store" });
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	const now = page.getElementById("content");
	// A job that has ended has a page with pictures, and nothing to follow.
	if (now.dataset.follow !== followed) return location.reload();
	const counts = document.getElementById("busy");
	mend(counts, page.getElementById("busy"));
	mend(content, now);
	document.title = page.title;
	say((content.querySelector("#the-answer .answer") ?? counts).textContent.trim());
}

/* By what a sibling is known, wherever it stands. */
const key = (node) => node.dataset?.job || node.id || node.getAttribute?.("aria-labelledby");

/** Make a tree like another, and leave what is alike: focus, ticks, and how far a table is scrolled. */
function mend(old, now) {
	if (old.nodeType !== Node.ELEMENT_NODE) {
		if (old.data !== now.data) old.data = now.data;
		return;
	}
	if (old.dataset.sure) return; // A question waits for its answer.
	for (const { name } of [...old.attributes]) if (!now.hasAttribute(name)) old.removeAttribute(name);
	for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
	const known = new Map([...old.children].map((child) => [key(child), child]));
	const kept = new Set([...now.children].map(key).filter(Boolean));
	let here = old.firstChild;
	const drop = () => ([here] = [here.nextSibling, here.remove()]);
	for (const child of [...now.childNodes]) {
		const name = key(child);
		const same = name ? known.get(name) : here?.nodeName === child.nodeName && !key(here) && here;
		while (same && here && here !== same && !kept.has(key(here))) drop();
		if (same && same === here) here = here.nextSibling;
		else old.insertBefore(same || child, here);
		if (same) mend(same, child);
	}
	while (here) drop();
}

async function press(button) {
	const { job, sweep, replan, act } = button.dataset;
	const list = replan ? "/replans" : sweep ? "/sweeps" : "/jobs";
	const path = `/v1${list}/${replan ?? sweep ?? job}`;
	if (act === "delete" && !button.dataset.sure) {
		button.dataset.sure = "yes";
		button.textContent = "Delete it for ever";
		return;
	}
	button.disabled = true;
	try {
		if (act === "delete") {
			await ask(path, { method: "DELETE" });
			leave(`Deleted: ${content.querySelector("h1").textContent}.`);
			location.assign(root + list);
		} else {
			await ask(`${path}/${act}`, { method: "POST" });
			// Who follows is told; a sweep that had ended has no follower.
			if (!followed) location.reload();
		}
	} catch (error) {
		button.disabled = false;
		button.after(` ${error.message}`);
	}
}

content.addEventListener("click", ({ target }) => {
	const button = target.closest("button[data-act]");
	if (button) press(button);
});
if (followed) {
	document.addEventListener("visibilitychange", () => (document.hidden ? close() : (open(), refresh())));
	addEventListener("pagehide", close);
	addEventListener("pageshow", open);
	open();
}
