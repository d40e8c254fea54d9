/* A new job from the page: an example with one click, a file, a check that tells where a fault is. */
import { ask, element, refusal, root, say } from "./service.js";

async function post(path, body, type = "application/json") {
	return (await ask(path, { method: "POST", headers: { "Content-Type": type }, body })).json();
}

/* What has a template is a sweep. */
const list = (body) => (JSON.parse(body)?.template ? "/sweeps" : "/jobs");
async function submit(body) {
	const to = list(body);
	location.assign(`${root}${to}/${(await post(`/v1${to}`, body)).id}`);
}

document.addEventListener("click", async ({ target }) => {
	const { run } = target.dataset;
	if (!run) return;
	target.disabled = true;
	try {
		const kind = await (await ask(`/v1/problems/${run}`)).json();
		await submit(JSON.stringify(kind.example));
	} catch (error) {
		target.disabled = false;
		target.after(` ${error.message}`);
	}
});

const form = document.getElementById("new-job");
if (form) begin(form);

function begin(form) {
	const body = form.querySelector("textarea");
	const said = form.querySelector("#said-of-it");
	const files = form.querySelector("input[type=file]");
	const tell = (...parts) => (said.replaceChildren(...parts), say(said.textContent));
	const doing = (work) => async () => {
		const buttons = form.querySelectorAll("button");
		buttons.forEach((one) => (one.disabled = true));
		try {
			JSON.parse(body.value);
			await work();
		} catch (error) {
			tell(...told(error, body));
		}
		buttons.forEach((one) => (one.disabled = false));
	};
	form.querySelector("[data-do=check]").onclick = doing(async () => {
		tell(...approved(await post(`/v1${list(body.value)}?validate_only=true`, body.value)));
	});
	form.querySelector("[data-do=solve]").onclick = doing(() => submit(body.value));
	files.onchange = () => files.files[0] && take(files.files[0]);
	form.addEventListener("dragover", (event) => event.preventDefault());
	form.addEventListener("drop", (event) => {
		if (!event.dataTransfer.files.length) return;
		event.preventDefault();
		take(event.dataTransfer.files[0]);
	});

	async function take(file) {
		try {
			const text = await file.text();
			if (text.trimStart().startsWith("<")) {
				if (/<platform\b/.test(text)) return await put("platform", "application/simgrid+xml", text);
				throw refusal({ detail: "This XML is no platform of SimGrid; steadygrid convert reads more formats." });
			}
			const document = Object(JSON.parse(text));
			if (document.workflow) return await put("application", "application/wfformat+json", text);
			if (document.problem || document.template) body.value = text;
			else if (document.processors) return place("platform", document, file.name);
			else if (document.tasks) return place("application", document, file.name);
			else throw refusal({ detail: "This is no job, platform or application that is known here." });
			tell(`${file.name} is the body now.`);
		} catch (error) {
			tell(...told(error, null));
		}
	}
	async function put(noun, type, text) {
		const kept = await post(`/v1/${noun}s`, text, type);
		place(noun, kept.id, `A stored ${noun}`, kept.warnings ?? []);
	}
	function place(noun, value, name, warnings = []) {
		const now = JSON.parse(body.value);
		(now.problem ??= {})[noun] = value;
		body.value = JSON.stringify(now, null, 2);
		tell(`${name} is the ${noun} of the problem now.`, ...warnings.map((one) => element("p", { textContent: one })));
	}
}

function approved(checked) {
	const sizes = checked.jobs ? { jobs: checked.jobs, ...checked.sizes.greatest.sizes } : checked.sizes;
	const facts = Object.entries(sizes ?? {}).map(([what, count]) => `${what}: ${count}`);
	const method = checked.method ? ` It would be solved by the method ${checked.method}.` : "";
	const lines = [element("p", { className: "good", textContent: `It can be solved as it stands.${method}` })];
	if (facts.length) lines.push(element("p", { className: "rest", textContent: facts.join(", ") }));
	for (const one of checked.warnings ?? []) lines.push(element("p", { className: "note", textContent: one }));
	return lines;
}

/** Say what is wrong, each fault a button that leads to its place. */
function told(error, body) {
	const details = error.details ?? { detail: `This is not JSON: ${error.message}.` };
	const list = element("ul", { className: "faults" });
	for (const fault of details.errors ?? []) {
		const pointer = fault.pointer ?? "";
		const where = body && span(body.value, pointer);
		const text = element("code", { textContent: pointer || fault.parameter || "the whole" });
		const item = element("li");
		if (where) {
			const line = body.value.slice(0, where[0]).split("\n").length;
			const onclick = () => reveal(body, where, line);
			item.append(element("button", { onclick }, `line ${line}, `, text), ` ${fault.detail}`);
			if (!list.children.length) reveal(body, where, line);
		} else item.append(text, ` ${fault.detail}`);
		list.append(item);
	}
	const led = list.querySelector("button");
	const says = element("p", { className: "wrong", textContent: led ? "It cannot be solved as it stands; each fault leads to its place:" : details.detail });
	return list.children.length ? [says, list] : [says];
}

function reveal(body, [from, to], line) {
	body.focus();
	body.setSelectionRange(from, to);
	const height = parseFloat(getComputedStyle(body).lineHeight) || 19;
	body.scrollTop = Math.max(0, (line - 4) * height);
}

/** Find the value, or the innermost one around it, that a JSON pointer names: from where to where. */
export function span(text, pointer) {
	const path = pointer.replace(/^#/, "").split("/").slice(1).map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"));
	const string = /"(?:[^"\\]|\\.)*"/y, scalar = /[^\s,\]}]+/y;
	let at = 0;
	const skip = () => { while (/\s/.test(text[at] ?? "")) at++; };
	const take = (pattern) => {
		pattern.lastIndex = at;
		const found = pattern.exec(text)?.[0] ?? "";
		at += found.length || 1;
		return found;
	};
	let best = null;
	function value(rest) {
		skip();
		const begin = at, open = text[at];
		if (open === "{" || open === "[") {
			at++;
			for (let i = 0; at < text.length; i++) {
				skip();
				if (text[at] === "}" || text[at] === "]") break;
				let key = String(i);
				if (open === "{") {
					key = JSON.parse(take(string));
					skip();
					at++;
				}
				value(rest?.[0] === key ? rest.slice(1) : null);
				skip();
				if (text[at] === ",") at++;
			}
			at++;
		} else take(open === '"' ? string : scalar);
		if (rest && !best) best = [begin, at];
	}
	value(path);
	return best;
}
