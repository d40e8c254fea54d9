/* Forms of studies: fields that are filled in make a body, and faults lead back to them. */
import { ask, element, root, say } from "./service.js";

for (const form of document.querySelectorAll("form[data-study]")) {
	form.onsubmit = (event) => (event.preventDefault(), send(form));
}

async function send(form) {
	const { study, to } = form.dataset;
	const button = form.querySelector("button");
	button.disabled = true;
	const scaled = form.querySelector('[data-at="#/scale"]')?.checked;
	for (const field of scaled ? [] : form.querySelectorAll("[data-unit]"))
		if (/[a-df-z]/i.test(field.value)) field.value = (await import("./units.js")).plain(field.value, field.dataset.unit);
	const [body, fields] = filled(form);
	try {
		const headers = { "Content-Type": "application/json" };
		const made = await ask(study, { method: "POST", headers, body: JSON.stringify(body) });
		location.assign(`${root}${to}/${(await made.json()).id}`);
	} catch (error) {
		tell(form.querySelector(".told"), error, fields);
	}
	button.disabled = false;
}

/** Put values where pointers say; "-" is the next of a list, as in JSON Patch. */
function filled(form) {
	const body = new Map(), fields = new Map();
	for (const field of form.querySelectorAll("[data-at]")) {
		const { at, entry } = field.dataset;
		const value = field.type === "checkbox" ? field.checked && field.value : field.value.trim();
		field.removeAttribute("aria-invalid");
		if (!value) continue;
		const steps = at.split("/").slice(1).map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"));
		const last = steps.pop();
		let here = body, next = 0;
		for (const step of steps) {
			if (step === "-") {
				next = here.size;
				here.set(here.list = next, new Map(Object.entries(JSON.parse(entry))));
				here = here.get(next);
			} else here = here.get(step) ?? (here.set(step, new Map()), here.get(step));
		}
		here.set(last, field.type === "text" ? value : field.type === "number" ? +value : JSON.parse(value));
		fields.set(at.replace("/-/", `/${next}/`), field);
	}
	return [plain(body), fields];
}
/* Names of processors may be those of anything that objects have from birth. */
const plain = (one) =>
	!(one instanceof Map) ? one : "list" in one ? [...one.values()].map(plain) : Object.fromEntries([...one].map(([name, value]) => [name, plain(value)]));

function tell(said, { message, details }, fields) {
	const list = element("ul", { className: "faults" });
	for (const { pointer, detail } of details?.errors ?? []) {
		const field = [...fields].find(([at]) => at === pointer || at.startsWith(`${pointer}/`))?.[1];
		if (!field || pointer === "#") continue;
		const name = field.getAttribute("aria-label") ?? field.parentElement.textContent.trim();
		field.setAttribute("aria-invalid", "true");
		list.append(element("li", {}, element("button", { type: "button", onclick: () => field.focus() }, name), ` ${detail}`));
	}
	said.replaceChildren(element("p", { className: "wrong", textContent: list.children.length ? "It cannot be asked as it stands:" : message }), list);
	say(said.textContent);
}
