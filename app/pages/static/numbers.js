/* The numbers of a question beside its platform, such as the work of tasks; loaded where it has some. */
import { ask, written } from "./service.js";

const APART = ["platform", "instance", "result", "schedule"];
const NAMES = ["id", "name", "kind", "source", "target", "master", "sources", "targets", "participants", "allowed", "mapping", "order"];
const UNITS = { work: "work", size: "data", input_size: "data", output_size: "data", communication_volume: "data", computation_volume: "work" };
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?(\/\d+)?$/i;

const step = (name) => (/^[["*]/.test(name) ? JSON.stringify(name) : name.replaceAll("~", "~0").replaceAll("/", "~1"));
const titled = ({ id, source, target }) => id ?? (source && target && `${source} \u2192 ${target}`);

/** Name an entry by its members if no other has the same, else by its place. */
function selector(entry, entries, i) {
	const names = entry.id === undefined ? ["source", "target"] : ["id"];
	const alike = (one) => names.every((name) => typeof one?.[name] === "string" && one[name] === entry[name]);
	return entries.filter(alike).length === 1 && alike(entry) ? `[${names.map((name) => `${name}=${written(entry[name])}`)}]` : String(i);
}

/** List them: of what each is, what it is, its path, and how a change names its place. */
export async function read(problem, units) {
	const rest = Object.fromEntries(Object.entries(problem).filter(([name]) => !APART.includes(name)));
	if (typeof rest.application === "string") {
		const found = await ask(`/v1/applications/${encodeURIComponent(rest.application)}`).catch(() => null);
		rest.application = (await found?.json())?.application;
	}
	const found = [];
	function walk(value, path, at, of, what) {
		if (typeof value === "number" || (typeof value === "string" && NUMBER.test(value))) return void found.push({ of: of || "the question", what, path, at, value });
		if (!value || typeof value !== "object") return;
		const entries = Array.isArray(value) ? value : null;
		for (const [name, one] of Object.entries(value)) {
			if (NAMES.includes(name)) continue;
			const to = [...path, entries ? Number(name) : name];
			const own = entries && one && titled(one);
			const next = `${at}/${own ? selector(one, entries, Number(name)) : step(name)}`;
			if (own) walk(one, to, next, own, "");
			else if (entries) walk(one, to, next, of, `${what} ${Number(name) + 1}`.trim());
			else if (path.at(-1) === "times") walk(one, to, next, of, `time on ${name}${units.time ? ` in ${units.time}` : ""}`);
			else if (!path.length && one && typeof one === "object") walk(one, to, next, Array.isArray(one) ? "" : name, Array.isArray(one) ? name.replace(/s$/, "") : "");
			else walk(one, to, next, of, `${what} ${name.replaceAll("_", " ")}${units[UNITS[name]] ? ` in ${units[UNITS[name]]}` : ""}`.trim());
		}
	}
	walk(rest, [], "/problem", "", "");
	return found;
}
