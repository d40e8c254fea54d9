/* What a sweep varies, by fields: they write the parameters of the body. */
import { element, say, written } from "./service.js";

const body = document.getElementById("body"), place = document.getElementById("vary");
const QUANTITIES = { processors: ["speed", "unit_time"], links: ["bandwidth", "unit_time"], media: ["bandwidth"] };
const SAYS = { processors: "hosts", links: "links", media: "media", speed: "speed", unit_time: "time of a unit", bandwidth: "bandwidth" };
const where = document.getElementById("vary-where"), how = document.getElementById("vary-how"), values = document.getElementById("vary-values"), told = document.getElementById("vary-told");
const list = document.getElementById("varied");

/** List the places of a template that have a quantity, those of all entries first. */
function places(template) {
	const found = new Map(), problem = template?.problem ?? {};
	for (const name of ["work", "input_size", "output_size"]) if (problem.task?.[name] != null) found.set(`/problem/task/${name}`, `${name.replace("_", " ")} of a task`);
	for (const [group, names] of Object.entries(QUANTITIES)) {
		const entries = problem.platform?.[group] ?? [];
		for (const name of names) {
			const having = entries.filter?.((one) => one[name] != null) ?? [];
			if (having.length) found.set(`/problem/platform/${group}/*/${name}`, `${SAYS[name]} of all ${SAYS[group]}`);
			for (const one of having.slice(0, 100)) {
				const key = one.id != null ? `id=${written(String(one.id))}` : `source=${written(String(one.source))},target=${written(String(one.target))}`;
				found.set(`/problem/platform/${group}/[${key}]/${name}`, `${SAYS[name]} of ${one.id ?? `${one.source} \u2192 ${one.target}`}`);
			}
		}
	}
	return found;
}

function read() {
	try {
		return Object(JSON.parse(body.value));
	} catch {
		return null;
	}
}
function show() {
	const sweep = read();
	place.hidden = !sweep?.template?.problem;
	if (place.hidden) return;
	const chosen = where.value, found = places(sweep.template);
	where.replaceChildren(...[...found].map(([value, textContent]) => element("option", { value, textContent })));
	if (found.has(chosen)) where.value = chosen;
	list.replaceChildren(
		...(sweep.parameters ?? []).map((one, i) => {
			const at = (one.scale ?? one.at ?? []).map((target) => found.get(target) ?? target).join(", ");
			const gone = element("button", { type: "button", className: "quiet", textContent: "Remove", ariaLabel: `Remove ${one.name}` });
			gone.onclick = () => (sweep.parameters.splice(i, 1), write(sweep));
			return element("li", {}, `${one.scale ? "multiply" : "set"} ${at} ${one.scale ? "by" : "to"} ${(one.values ?? []).join(", ")} `, gone);
		}),
	);
}
function write(sweep) {
	body.value = JSON.stringify(sweep, null, 2);
	show();
}

document.getElementById("vary-add").onclick = () => {
	const sweep = read(), given = values.value.split(/[,;\s]+/).filter(Boolean);
	told.textContent = given.length ? "" : "Give the values, such as 1/2, 1, 2.";
	if (!given.length) return say(told.textContent);
	const parameters = (sweep.parameters ??= []), names = new Set(parameters.map(({ name }) => name));
	let name = where.selectedOptions[0].textContent.slice(0, 60);
	while (names.has(name)) name += " again";
	parameters.push({ name, [how.value]: [where.value], values: given });
	write(sweep);
};
body.addEventListener("input", show);
show();
