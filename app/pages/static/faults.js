/* What a check says of a body, each fault a button that leads to its place; loaded after one. */
import { element } from "./service.js";

export function told(error, body) {
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
		if (fault.code) item.append(" ", element("code", { className: "code", textContent: fault.code, title: `steadygrid explain ${fault.code}` }));
		list.append(item);
	}
	const led = list.querySelector("button");
	const says = element("p", { className: "wrong", textContent: led ? "It cannot be solved as it stands; each fault leads to its place:" : details.detail });
	return list.children.length ? [says, list] : [says];
}

export function approved(checked) {
	const sizes = checked.jobs ? { jobs: checked.jobs, ...checked.sizes.greatest.sizes } : checked.sizes;
	const facts = Object.entries(sizes ?? {}).map(([what, count]) => `${what}: ${count}`);
	const method = checked.method ? ` It would be solved by the method ${checked.method}.` : "";
	const lines = [element("p", { className: "good", textContent: `It can be solved as it stands.${method}` })];
	if (facts.length) lines.push(element("p", { className: "rest", textContent: facts.join(", ") }));
	for (const one of checked.warnings ?? []) lines.push(element("p", { className: "note", textContent: one }));
	return lines;
}

function reveal(body, [from, to], line) {
	body.focus();
	body.setSelectionRange(from, to);
	const height = parseFloat(getComputedStyle(body).lineHeight) || 19;
	body.scrollTop = Math.max(0, (line - 4) * height);
}

/** Find the value that a JSON pointer names, or the one around it. */
function span(text, pointer) {
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
