/* Hosts and links as tables, in step with the JSON. */
import { post } from "./new.js";
import { ask, element, middle, root, say, written } from "./service.js";

const LATER = 250, LONGEST = 200_000, KEPT = 2 ** 20, MANY = 200, PAGE = 100, MOST_SOLVED = 60;
const named = (id) => document.getElementById(id);
const form = named("new-job");
const place = named("tables");
const body = form.querySelector("#body");
const verdict = named("verdict");
const master = named("master"), ports = named("ports");
const sizes = form.querySelectorAll("[data-size]");
const picture = document.querySelector("#drawn img");
if (picture) picture.onload = () => ((picture.parentElement.hidden = false), middle(picture.parentElement));
const mayAsk = form.hasAttribute("data-asks");
const KINDS = {
	processors: { columns: ["id"], quantity: "speed", noun: "host", title: "Hosts" },
	links: { columns: ["source", "target"], quantity: "bandwidth", noun: "link", title: "Links" },
	media: { columns: ["id"], quantity: "bandwidth", noun: "medium", title: "Media that links share", fixed: true },
	numbers: { columns: ["of", "what"], quantity: "value", noun: "number", title: "Numbers of the question", fixed: true },
};
const DIRECTIONS = { full: "both", half: "both share it", simplex: "one" };
const NAMES = { id: "name", source: "from", target: "to" };
let draft = {}, stored = null, based = null, numbers = [], source = "", asked = 0, timer = 0, taken = [];
const views = Object.fromEntries(Object.keys(KINDS).map((list) => [list, view(list)]));

const inline = () => (typeof draft.problem?.platform === "object" ? draft.problem.platform : null);
const platform = () => inline() ?? stored ?? {};
const rows = (list) => (list === "numbers" ? numbers : Array.isArray(platform()[list]) ? platform()[list] : []);
/* The problem, also of the job that the draft is based on: its members are changed by changes. */
const problem = () => draft.problem ?? based ?? {};
const member = (one, path) => path.reduce((within, name) => within?.[name], one);
const changed = (at) => draft.changes?.findLast((one) => one.at === at);
function change(at, was, value) {
	draft.changes = [...(draft.changes ?? []).filter((one) => one.at !== at), ...(value === (was ?? null) ? [] : [{ at, value }])];
	if (!draft.changes.length) delete draft.changes;
}
const read = (path, at = `/problem/${path.join("/")}`) => (changed(at) ?? { value: member(problem(), path) }).value;
function write(path, value, was = member(based, path), at = `/problem/${path.join("/")}`) {
	const within = member(draft.problem, path.slice(0, -1));
	if (Object(within) !== within || changed(at)) change(at, was, value);
	else if (value === null) delete within[path.at(-1)];
	else within[path.at(-1)] = value;
}
function origin() {
	if (draft.base) return `/v1/jobs/${encodeURIComponent(draft.base)}/instance`;
	const id = draft.problem?.platform;
	return typeof id === "string" && id ? `/v1/platforms/${encodeURIComponent(id)}` : "";
}
function target(list, row, member) {
	const keys = KINDS[list].columns.map((name) => `${name}=${written(String(row[name]))}`);
	return `/problem/platform/${list}/[${keys.join(",")}]/${member}`;
}
function quantity(list, row) {
	if (list === "numbers") return String(read(row.path, row.at) ?? row.value);
	const of = (name) => ((inline() ? null : changed(target(list, row, name))) ?? { value: row[name] }).value;
	const time = of("unit_time"), rate = of(KINDS[list].quantity);
	return time != null ? `${time}${/each$/.test(time) ? "" : " each"}` : String(rate ?? "");
}
function put(list, row, text) {
	if (list === "numbers") {
		const number = Number(text);
		return write(row.path, typeof row.value === "number" && text.trim() && Number.isSafeInteger(number) ? number : text.trim(), row.value, row.at);
	}
	const { quantity: rate } = KINDS[list], each = /^(.*\S)\s+each$/.exec(text.trim());
	const [now, other] = each ? ["unit_time", rate] : [rate, "unit_time"];
	const value = each && /^[\d./eE+-]+$/.test(each[1]) ? each[1] : text.trim();
	if (inline()) {
		delete row[other];
		if (value) row[now] = value;
		else delete row[now];
		return;
	}
	for (const [name, wanted] of [[other, null], [now, value || null]]) change(target(list, row, name), row[name], wanted);
}

/* What a number without a unit is in. */
const own = ({ time, data, work }) => (time ?? data ?? work ? "" : ", in units of your own");
function unitsOf(amounts, fixed) {
	if (amounts === "value") return amounts;
	const units = platform().units ?? {}, { time } = units;
	const amount = units[amounts === "speed" ? "work" : "data"];
	return `${amounts}${amount && time ? ` in ${amount}/${time}` : ""}${fixed ? "" : `, or ${time ?? "time"} each`}${own(units)}`;
}

function view(list) {
	const { columns, title, noun, fixed } = KINDS[list];
	const amounts = KINDS[list].quantity;
	const amountHead = element("th", { scope: "col" });
	const head = [...columns.map((name) => element("th", { scope: "col", textContent: NAMES[name] ?? name })), ...(list === "links" ? [element("th", { scope: "col", textContent: "directions" })] : []), amountHead, element("th")];
	const button = (textContent, more) => element("button", { type: "button", textContent, ...more });
	const find = element("input", { type: "search", placeholder: "Find", ariaLabel: `Find ${noun}s` });
	const back = button("Before"), next = button("Next"), add = button(`Add a ${noun}`);
	const count = element("span", { className: "rest" });
	const lines = element("tbody");
	const table = element("table", { className: "edit" }, element("thead", {}, element("tr", {}, ...head)), lines);
	const heading = element("h3", { textContent: title });
	const section = element("section", {}, element("p", { className: "actions" }, heading, count, find, back, next, add), element("div", { className: "scroll" }, table));
	place.append(section);
	let first = 0, shown = new Map();
	function draw() {
		const wanted = find.value.toLowerCase(), all = rows(list);
		const found = [...all.keys()].filter((i) => !wanted || columns.some((name) => String(all[i]?.[name]).toLowerCase().includes(wanted)));
		const many = all.length > MANY;
		first = many ? Math.max(0, Math.min(first, Math.floor((found.length - 1) / PAGE) * PAGE)) : 0;
		const page = many ? found.slice(first, first + PAGE) : found;
		amountHead.textContent = unitsOf(amounts, fixed);
		find.hidden = !many;
		back.hidden = next.hidden = found.length <= PAGE || !many;
		add.hidden = fixed || !inline();
		section.hidden = !all.length && (fixed || !(inline() ?? stored));
		count.textContent = many ? `${first + 1} to ${first + page.length} of ${found.length}` : all.length;
		shown = new Map(page.map((i) => [i, line(i, all[i] ?? {})]));
		lines.replaceChildren(...[...shown.values()].map((cells) => cells.row));
	}
	function line(i, row) {
		const cells = {};
		const input = (member, value, label) => (cells[member] = element("input", { value, ariaLabel: `${label}, ${noun} ${i + 1}`, autocomplete: "off" }));
		const inputs = columns.map((name) => {
			if (list === "numbers") return row[name];
			const cell = input(name, row[name] ?? "", NAMES[name]);
			cell.readOnly = fixed || !inline();
			if (name !== "id") cell.setAttribute("list", "hosts-known");
			cell.onchange = () => {
				const text = cell.value.trim();
				// Links of two hosts with one name would be one host's for ever.
				if (name === "id" && rows(list).some((one) => one !== row && one.id === text)) return (taken = [{ pointer: `#/problem/platform/${list}/${i}/id`, detail: `There is a ${noun} ${text} already: this one is still called ${row.id || "nothing"}.` }]), mark([]);
				rename(list, row, name, text);
				commit(true);
			};
			return cell;
		});
		if (list === "links") {
			const both = (cells.duplex = element("select", { ariaLabel: `directions, link ${i + 1}`, disabled: !inline() }, ...Object.entries(DIRECTIONS).map(([value, textContent]) => element("option", { value, textContent }))));
			both.value = row.duplex ?? "full";
			both.onchange = () => ((row.duplex = both.value), commit());
			inputs.push(both);
		}
		const amount = input(amounts, quantity(list, row), amounts);
		if (list === "numbers") amount.ariaLabel = `${row.what} of ${row.of}`;
		amount.oninput = () => (put(list, row, amount.value), commit());
		const gone = button("Remove", { className: "quiet", ariaLabel: `Remove ${noun} ${i + 1}`, hidden: fixed || !inline() });
		gone.onclick = () => (rows(list).splice(rows(list).indexOf(row), 1), commit(true));
		cells.row = element("tr", {}, ...[...inputs, amount].map((cell) => element("td", {}, cell)), element("td", {}, gone));
		return cells;
	}
	find.oninput = () => ((first = 0), draw());
	back.onclick = () => ((first -= PAGE), draw());
	next.onclick = () => ((first += PAGE), draw());
	add.onclick = () => {
		(inline()[list] ??= []).push(Object.fromEntries(columns.map((name) => [name, ""])));
		first = Infinity;
		commit(true);
		lines.querySelector("tr:last-child input")?.focus();
	};
	return { draw, cell: (i, member) => shown.get(i)?.[member === "unit_time" ? amounts : member], reveal: (i) => ((find.value = ""), (first = Math.floor(i / PAGE) * PAGE), draw()) };
}

function rename(list, row, member, text) {
	const old = row[member];
	row[member] = text;
	if (member !== "id" || !old || rows(list).some((one) => one.id === old)) return;
	for (const link of rows("links")) for (const end of ["source", "target"]) if (link[end] === old) link[end] = text;
	if (draft.problem.master === old) draft.problem.master = text;
}

/* From the JSON to the tables, without a master that is gone. */
async function load(placed = "") {
	try {
		halt();
		draft = Object(JSON.parse(body.value));
	} catch (error) {
		body.setAttribute("aria-invalid", "true");
		tell("wrong", `This is not JSON, and the tables stay as they were: ${error.message}.`);
		return;
	}
	body.removeAttribute("aria-invalid");
	const now = origin(), mine = draft;
	if (picture && placed) picture.parentElement.hidden = true;
	if (now !== source) {
		source = now;
		stored = based = null;
		if (now) {
			try {
				const found = await (await ask(now)).json();
				if (now !== source) return;
				based = found.problem ?? null;
				stored = found.platform ?? based?.platform ?? null;
			} catch (error) {
				tell("wrong", error.message);
			}
		}
	}
	const others = problem().task ? [] : await (await import("./numbers.js")).read(problem(), platform().units ?? {});
	if (mine !== draft) return;
	numbers = others;
	if (placed === "platform" && draft.problem?.master && !rows("processors").some(({ id }) => id === draft.problem.master)) {
		draft.problem.master = "";
		return commit(true);
	}
	draw();
	soon();
}
function draw() {
	taken = [];
	place.hidden = !(inline() ?? stored ?? numbers[0]);
	Object.values(views).forEach((one) => one.draw());
	// A switch has links, and is no master.
	for (const [id, ids] of [["hosts-known", rows("processors")], ["masters", rows("processors").filter((one) => !one.switch)]])
		named(id).replaceChildren(...ids.map(({ id }) => element("option", { value: id ?? "" })));
	named("asks").hidden = !problem().kind;
	master.parentElement.hidden = !("master" in problem() || problem().kind === "master_worker");
	master.value = read(["master"]) ?? "";
	ports.value = read(["ports"]) ?? "";
	ports[0].disabled = !!based?.ports; // no change takes a member away
	for (const field of sizes) {
		field.parentElement.hidden = !problem().task;
		field.value = read(["task", field.dataset.size]) ?? "";
		const unit = platform().units?.[sizeUnit(field)];
		field.previousSibling.textContent = `${field.dataset.says}${unit ? ` in ${unit}` : ""} `;
	}
}

function commit(anew = false) {
	if (anew) draw();
	body.value = JSON.stringify(draft, null, 2);
	edited();
	soon();
}
body.addEventListener("input", ({ detail }) => (edited(), load(detail)));
const sizeUnit = ({ dataset: { size } }) => (size === "work" ? size : "data");
const turns = {};
for (const field of sizes)
	field.oninput = async () => {
		const { size } = field.dataset, typed = field.value.trim(), units = platform().units ?? {}, mine = (turns[size] = (turns[size] ?? 0) + 1);
		const value = /[a-df-z]/i.test(typed) ? (await import("./units.js")).plain(typed, units[sizeUnit(field)]) : typed;
		if (mine !== turns[size]) return;
		if (typed !== field.value.trim()) field.value = typed; // drawn anew meanwhile
		write(["task", size], value || null);
		commit();
	};
master.oninput = () => (write(["master"], master.value), commit());
ports.onchange = () => (write(["ports"], ports.value || null), commit());

/* What is checked while one types; an older answer never replaces a newer one. */
const halt = () => (asked++, clearTimeout(timer));
const soon = () => {
	halt();
	if (mayAsk && body.value.length <= LONGEST) timer = setTimeout(check, LATER);
};
async function check() {
	const mine = asked;
	const late = () => mine !== asked;
	if (draft.template) return;
	verdict.classList.add("old");
	try {
		const checked = await post("/v1/jobs?validate_only=true&faults=answer", body.value);
		if (late()) return;
		if (!checked.valid) return blame(checked);
		mark([]);
		const count = rows("processors").length || numbers.length / 3;
		tell("good", "It can be solved as it stands.");
		if (!count || count > MOST_SOLVED) return;
		const job = await post("/v1/jobs?wait=2", JSON.stringify({ ...draft, transient: true, options: { ...draft.options, time_limit: 1 } })).catch((error) => {
			if (error.details.status !== 429) throw error;
			if (!late()) tell("good", "It can be solved as it stands.", ` ${error.details.detail}`);
			return {};
		});
		if (late() || job.state !== "succeeded") return;
		if (job.objective && picture && platform().processors) picture.src = `${root}${job.links.self}/pictures/platform.svg?theme=${document.documentElement.dataset.theme}`;
		const limiter = job.limited_by;
		tell("good", outcome(job), limiter ? ` Limited by ${limiter.label}${limiter.alike ? ` (like ${limiter.alike} more)` : ""}.` : "");
	} catch (error) {
		if (!late()) blame(error.details ?? { detail: error.message });
	}
}
function blame({ errors = [], detail }) {
	const rest = mark(errors).map((fault) => element("span", { className: "line", textContent: `${fault.pointer ?? ""} ${fault.detail}` }));
	tell("wrong", ...(rest.length ? rest : [errors.length ? "It cannot be solved as it stands: see what is marked." : detail]));
}
function outcome({ outcome, objective }) {
	if (!objective) return `It is ${outcome}.`;
	return `${objective.name} ${objective.value}, ${outcome === "optimal" ? "proved optimal" : outcome}.`;
}
function tell(sort, ...texts) {
	verdict.className = sort;
	verdict.replaceChildren(...texts);
	say(verdict.textContent);
}

/** Mark cells, a name that is taken too; give the faults that have none. */
function mark(faults) {
	for (const cell of form.querySelectorAll(":is(#tables, #asks) [aria-invalid]")) {
		cell.removeAttribute("aria-invalid");
		cell.removeAttribute("aria-describedby");
	}
	form.querySelectorAll(".fault").forEach((one) => one.remove());
	return [...taken, ...faults].filter((fault, number) => {
		const found = cellOf(fault.pointer ?? "");
		if (!found) return true;
		const said = element("span", { className: "fault", id: `fault-${number}`, textContent: fault.detail });
		found.setAttribute("aria-invalid", "true");
		found.setAttribute("aria-describedby", said.id);
		found.after(said);
		return false;
	});
}
function cellOf(pointer) {
	let path = pointer.replace(/^#/, "").split("/").slice(1).map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"));
	let [, , list, i, member] = path;
	let number = (one) => one.path.join() === path.slice(1).join();
	if (path[0] === "changes") {
		const { at = "" } = draft.changes?.[path[1]] ?? {};
		path = at.split("/").slice(1);
		number = (one) => one.at === at;
		[list, i, member] = ["processors", "links", "media"].flatMap((one) => rows(one).flatMap((row, k) => [KINDS[one].quantity, "unit_time"].map((name) => [one, k, name, target(one, row, name)]))).find((one) => one[3] === at) ?? [];
	}
	if (path[0] === "problem" && !path[3]) {
		const field = path[1] === "task" ? [...sizes].find((one) => one.dataset.size === path[2]) : { master, ports }[path[1]];
		if (field && !field.parentElement.hidden) return field;
	}
	if (numbers.some(number)) [list, i, member] = ["numbers", numbers.findIndex(number)];
	if (!KINDS[list] || i === undefined) return null;
	member ??= KINDS[list].quantity;
	if (!views[list].cell(Number(i), member)) views[list].reveal(Number(i));
	return views[list].cell(Number(i), member);
}

/* Two columns of a spreadsheet are hosts, three are links. */
async function take(text) {
	const fault = (await import("./paste.js")).take(text, { draft, inline, platform, rows, put, KINDS, form });
	if (fault) return halt(), tell("wrong", fault);
	pasted.value = "";
	commit(true);
}
document.addEventListener("paste", (event) => {
	if (event.target === body || event.target === pasted) return;
	const text = event.clipboardData.getData("text/plain").trim();
	if (/[\t\n]|;.*;/.test(text)) event.preventDefault(), take(text);
});
const pasted = named("pasted");
named("take").onclick = () => take(pasted.value);

/* The draft is kept in the browser; logging out deletes it (theme.js). */
const shelf = `draft ${form.dataset.tenant}`, first = body.value, notice = named("kept");
function edited() {
	form.querySelector("#said-of-it:has(.wrong)")?.replaceChildren();
	try {
		if (body.value.length <= KEPT) localStorage.setItem(shelf, JSON.stringify({ at: Date.now(), text: body.value, came: form.dataset.came }));
	} catch { /* A draft lasts for the page then. */ }
}
try {
	const kept = JSON.parse(localStorage.getItem(shelf));
	if (!location.search && kept && kept.text !== first) {
		const anew = element("button", { type: "button", textContent: "Start anew" });
		anew.onclick = () => {
			localStorage.removeItem(shelf);
			body.value = first;
			notice.replaceChildren();
			load();
		};
		body.value = kept.text;
		form.dataset.came = kept.came ?? "";
		notice.replaceChildren(`Your draft of ${new Date(kept.at).toISOString().slice(0, 16).replace("T", " ")} UTC. `, anew);
	}
} catch {}
load();
