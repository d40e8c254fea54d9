/* Files that become the body of a new job, or a part of it; loaded when one is dropped or chosen. */
import { told } from "./faults.js";
import { leave } from "./paste.js";
import { element, refusal } from "./service.js";

const SIMGRID = { ports: "multiport", routing: "fixed" };

/** Take files; tables of hosts and links are one platform. */
export async function take(files, { body, named, post, tell }) {
	const name = files.map((one) => one.name).join(" and ");
	try {
		const texts = await Promise.all(files.map((one) => one.text()));
		// A spreadsheet separates its cells, and prose does not.
		const tables = texts.every((text) => /^[^<[{].*[,;\t]/.test(text.trimStart()));
		if (tables) return await put("platform", "text/csv", texts.map((text) => text.trim()).join("\n\n"), {});
		if (files.length > 1) throw refusal({ detail: "Several files are taken together if they are tables of hosts and links. Of others, drop one after the other." });
		const [text] = texts;
		if (text.trimStart().startsWith("<")) {
			if (/<platform\b/.test(text)) return await put("platform", "application/simgrid+xml", text, SIMGRID);
			throw refusal({ detail: "This XML is no platform of SimGrid; steadygrid convert reads more formats." });
		}
		const document = Object(JSON.parse(text));
		if (document.workflow) return await put("application", "application/wfformat+json", text, {});
		if (document.problem || document.template || document.base) replace(text);
		else if (document.processors) return place("platform", document);
		else if (document.tasks) return place("application", document);
		else throw refusal({ detail: "This is no job, platform or application that is known here." });
		tell(`${name} is the body now.`);
	} catch (error) {
		tell(...(await told(error, null)));
	}

	async function put(noun, type, text, more) {
		const kept = await post(`/v1/${noun}s`, text, type);
		place(noun, kept.id, kept.warnings ?? [], more);
	}
	function replace(text, placed = "", came = {}) {
		if (placed !== "application") body.form.dataset.came = JSON.stringify(came);
		body.value = text;
		body.dispatchEvent(new CustomEvent("input", { detail: placed }));
	}
	function place(noun, value, warnings = [], more = {}) {
		const now = JSON.parse(body.value);
		if (noun === "platform") leave(now.problem, body.form);
		Object.assign((now.problem ??= {}), { [noun]: value }, more);
		// A job is called by its parts, unless its name was given for others.
		if (now.name === named) delete now.name;
		replace(JSON.stringify(now, null, 2), noun, more);
		const stored = typeof value === "string" ? "stored as " : "";
		const rest = now.problem.task && noun === "platform" ? " Work and sizes of the task are still those of before: see that they are yours." : "";
		tell(`${name} ${files.length > 1 ? "are" : "is"} ${stored}the ${noun} of the problem now.${rest}`, ...warnings.map((one) => element("p", { textContent: one })));
	}
}
