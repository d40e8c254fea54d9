/* Pages that follow what happens: asked for again, and mended where they have changed. */
import { ask, root, say, wait } from "./service.js";

const MOST_OFTEN = 1000;
const content = document.getElementById("content");
const job = document.querySelector("#the-answer[data-state]");
const ended = (state) => ["succeeded", "failed", "cancelled"].includes(state);

/* One stream per page: browsers have six connections for all pages of a host. */
function follow(path, kinds, changed) {
	let stream = null;
	function open() {
		if (document.hidden || stream) return;
		stream = new EventSource(root + path);
		for (const kind of kinds) stream.addEventListener(kind, changed);
		stream.onerror = () => {
			if (stream?.readyState !== EventSource.CLOSED) return;
			close();
			wait(5000).then(open);
		};
	}
	function close() {
		stream?.close();
		stream = null;
	}
	document.addEventListener("visibilitychange", () => (document.hidden ? close() : (open(), changed())));
	addEventListener("pagehide", close);
	addEventListener("pageshow", open);
	open();
	return close;
}

/** Do it now, or as soon as it may be done again. */
function throttled(work) {
	let busy = false, again = false;
	return async function run() {
		if (busy) return void (again = true);
		busy = true;
		await work().catch(() => {});
		await wait(MOST_OFTEN);
		busy = false;
		if (again) run((again = false));
	};
}

async function fresh() {
	const answer = await ask(location.href.slice(location.origin.length + root.length), { headers: { Accept: "text/html" }, cache: "no-store" });
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	const [busy, now] = [document.getElementById("busy"), page.getElementById("busy")];
	if (busy && now) mend(busy, now);
	return page;
}

/** Make a tree like another, and leave what is alike: focus, ticks, and how far a table is scrolled. */
function mend(old, now) {
	const named = (node) => node.nodeName + (node.dataset?.job ?? "") + (node.id ?? "");
	if (named(old) !== named(now)) return old.replaceWith(now);
	if (old.nodeType !== Node.ELEMENT_NODE) {
		if (old.data !== now.data) old.data = now.data;
		return;
	}
	for (const { name } of [...old.attributes]) if (!now.hasAttribute(name)) old.removeAttribute(name);
	for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
	const rows = new Map([...old.children].filter((row) => row.dataset.job).map((row) => [row.dataset.job, row]));
	[...now.childNodes].forEach((child, i) => {
		const known = rows.get(child.dataset?.job);
		if (known && known !== old.childNodes[i]) old.insertBefore(known, old.childNodes[i]);
		if (i < old.childNodes.length) mend(old.childNodes[i], child);
		else old.append(child);
	});
	while (old.childNodes.length > now.childNodes.length) old.lastChild.remove();
}

function followJob() {
	const path = `/v1/jobs/${job.dataset.job}/events`;
	const close = follow(path, ["state", "progress", "end"], throttled(async () => {
		const page = await fresh();
		const now = page.getElementById("the-answer");
		if (ended(now.dataset.state)) {
			close();
			location.reload();
			return;
		}
		mend(document.querySelector(".under-title"), page.querySelector(".under-title"));
		mend(job, now);
		document.title = page.title;
		say(job.querySelector(".answer")?.textContent.trim() ?? "");
	}));
}

function followJobs() {
	follow("/v1/events", ["jobs", "summary"], throttled(async () => {
		mend(content, (await fresh()).getElementById("content"));
		say(document.getElementById("busy")?.textContent.trim() ?? "");
	}));
}

async function act(button) {
	const path = `/v1/jobs/${button.dataset.job}`;
	if (button.dataset.act === "delete" && !button.dataset.sure) {
		button.dataset.sure = "yes";
		button.textContent = "Delete it for ever";
		return;
	}
	button.disabled = true;
	try {
		if (button.dataset.act === "cancel") {
			await ask(`${path}/cancel`, { method: "POST" });
			if (job) location.reload();
		} else {
			await ask(path, { method: "DELETE" });
			location.assign(`${root}/jobs`);
		}
	} catch (error) {
		button.after(` ${error.message}`);
	}
}

content.addEventListener("click", ({ target }) => {
	const button = target.closest("button[data-act]");
	if (button) act(button);
});
if (job && !ended(job.dataset.state)) followJob();
else if (content.hasAttribute("data-follow")) followJobs();
