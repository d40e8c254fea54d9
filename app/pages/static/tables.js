/* Hosts and links as tables, in step with the JSON. */
import { post } from "./new.js";
import { ask, element, middle, root, say } from "./service.js";

const LATER = 250, LONGEST = 200_000, KEPT = 2 ** 20, MANY = 200, PAGE = 100, MOST_SOLVED = 60;
const form = document.getElementById("new-job");
const place = document.getElementById("tables");
const body = form.querySelector("#body");
const verdict = document.getElementById("verdict");
const master = document.getElementById("master"), ports = document.getElementById("ports");
const sizes = form.querySelectorAll("[data-size]");
const picture = document.querySelector("#drawn img");
if (picture) picture.onload = () => ((picture.parentElement.hidden = false), middle(picture.parentElement));
const mayAsk = form.hasAttribute("data-asks");
const KINDS = {
	processors: { columns: ["id"], quantity: "speed", noun: "host", title: "Hosts" },
	links: { columns: ["source", "target"], quantity: "bandwidth", noun: "link", title: "Links" },
	media: { columns: ["id"], quantity: "bandwidth", noun: "medium", title: "Media that links share", fixed: true },
};
const DIRECTIONS = { full: "both", half: "both share it", simplex: "one" };
const NAMES = { id: "name", source: "from", target: "to" };
let draft = {}, stored = null, source = "", asked = 0, timer = 0, taken = [];
const views = Object.fromEntries(Object.keys(KINDS).map((list) => [list, view(list)]));

const inline = () => (typeof draft.problem?.platform === "object" ? draft.problem.platform : null);
const platform = () => inline() ?? stored ?? {};
const rows = (list) => (Array.isArray(platform()[list]) ? platform()[list] : []);
function named() {
	if (draft.base) return `/v1/jobs/${encodeURIComponent(draft.base)}/instance`;
	const id = draft.problem?.platform;
	return typeof id === "string" && id ? `/v1/platforms/${encodeURIComponent(id)}` : "";
}
const written = (text) => (/[\],/"]|^\s|\s$|^$/.test(text) ? JSON.stringify(text) : text);
function target(list, row, member) {
	const keys = KINDS[list].columns.map((name) => `${name}=${written(String(row[name]))}`);
	return `/problem/platform/${list}/[${keys.join(",")}]/${member}`;
}
function quantity(list, row) {
	const of = (member) => {
		const change = inline() ? null : draft.changes?.findLast(({ at }) => at === target(list, row, member));
		return change ? change.value : row[member];
	};
	const time = of("unit_time"), rate = of(KINDS[list].quantity);
	return time != null ? `${time}${/each$/.test(time) ? "" : " each"}` : String(rate ?? "");
}
function put(list, row, text) {
	const { quantity: rate } = KINDS[list], each = /^(.*\S)\s+each$/.exec(text.trim());
	const [now, other] = each ? ["unit_time", rate] : [rate, "unit_time"];
	const value = each && /^[\d./eE+-]+$/.test(each[1]) ? each[1] : text.trim();
	if (inline()) {
		delete row[other];
		if (value) row[now] = value;
		else delete row[now];
		return;
	}
	const changes = (draft.changes ??= []);
	const set = (member, wanted) => {
		const at = target(list, row, member), old = changes.findIndex((one) => one.at === at);
		if (old >= 0) changes.splice(old, 1);
		if (wanted !== (row[member] ?? null)) changes.push({ at, value: wanted });
	};
	set(other, null);
	set(now, value || null);
	if (!changes.length) delete draft.changes;
}

/* What a number without a unit is in. */
const own = ({ time, data, work }) => (time ?? data ?? work ? "" : ", in units of your own");
function unitsOf(amounts, fixed) {
	const units = platform().units ?? {}, { time } = units;
	const amount = units[amounts === "speed" ? "work" : "data"];
	return `${amounts}${amount && time ? ` in ${amount}/${time}` : ""}${fixed ? "" : `, or ${time ?? "time"} each`}${own(units)}`;
}

function view(list) {
	const { columns, title, noun, fixed } = KINDS[list];
	const amounts = KINDS[list].quantity;
	const amountHead = element("th", { scope: "col" });
	const head = [...columns.map((name) => element("th", { scope: "col", textContent: NAMES[name] })), ...(list === "links" ? [element("th", { scope: "col", textContent: "directions" })] : []), amountHead, element("th")];
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
		section.hidden = fixed && !all.length;
		count.textContent = many ? `${first + 1} to ${first + page.length} of ${found.length}` : all.length;
		shown = new Map(page.map((i) => [i, line(i, all[i] ?? {})]));
		lines.replaceChildren(...[...shown.values()].map((cells) => cells.row));
	}
	function line(i, row) {
		const cells = {};
		const input = (member, value, label) => (cells[member] = element("input", { value, ariaLabel: `${label}, ${noun} ${i + 1}`, autocomplete: "off" }));
		const inputs = columns.map((name) => {
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
		draft = Object(JSON.parse(body.value));
	} catch (error) {
		body.setAttribute("aria-invalid", "true");
		halt();
		tell("wrong", `This is not JSON, and the tables stay as they were: ${error.message}.`);
		return;
	}
	body.removeAttribute("aria-invalid");
	const now = named();
	if (picture && placed) picture.parentElement.hidden = true;
	if (now !== source) {
		source = now;
		stored = null;
		if (now) {
			try {
				const found = await (await ask(now)).json();
				if (now !== source) return;
				stored = found.platform ?? found.problem?.platform ?? null;
			} catch (error) {
				tell("wrong", error.message);
			}
		}
	}
	if (placed === "platform" && draft.problem?.master && !rows("processors").some(({ id }) => id === draft.problem.master)) {
		draft.problem.master = "";
		return commit(true);
	}
	draw();
	soon();
}
function draw() {
	taken = [];
	place.hidden = !inline() && !stored;
	Object.values(views).forEach((one) => one.draw());
	const hosts = rows("processors").map(({ id }) => element("option", { value: id ?? "" }));
	document.getElementById("hosts-known").replaceChildren(...hosts);
	document.getElementById("asks").hidden = !draft.problem;
	master.parentElement.hidden = !draft.problem || !("master" in draft.problem || draft.problem.kind === "master_worker");
	master.value = draft.problem?.master ?? "";
	ports.value = draft.problem?.ports ?? "";
	for (const field of sizes) {
		field.parentElement.hidden = !draft.problem?.task;
		field.value = draft.problem?.task?.[field.dataset.size] ?? "";
		const unit = platform().units?.[sizeUnit(field)];
		field.previousSibling.textContent = `${field.dataset.says}${unit ? ` in ${unit}` : ""} `;
	}
}

function commit(anew = false) {
	if (anew) draw();
	body.value = JSON.stringify(draft, null, 2);
	keep();
	soon();
}
body.addEventListener("input", ({ detail }) => (keep(), load(detail)));
const sizeUnit = ({ dataset: { size } }) => (size === "work" ? size : "data");
const turns = {};
for (const field of sizes)
	field.oninput = async () => {
		const { size } = field.dataset, typed = field.value.trim(), units = platform().units ?? {}, mine = (turns[size] = (turns[size] ?? 0) + 1);
		const value = /[a-df-z]/i.test(typed) ? (await import("./units.js")).plain(typed, units[sizeUnit(field)]) : typed;
		if (mine !== turns[size]) return;
		if (typed !== field.value.trim()) field.value = typed; // drawn anew meanwhile
		if (value) draft.problem.task[size] = value;
		else delete draft.problem.task[size];
		commit();
	};
master.oninput = () => ((draft.problem.master = master.value), commit());
ports.onchange = () => {
	if (ports.value) draft.problem.ports = ports.value;
	else delete draft.problem.ports;
	commit();
};

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
		form.querySelector("#said-of-it:has(.wrong)")?.replaceChildren();
		const count = rows("processors").length;
		tell("good", "It can be solved as it stands.");
		if (!count || count > MOST_SOLVED) return;
		const job = await post("/v1/jobs?wait=2", JSON.stringify({ ...draft, transient: true, options: { ...draft.options, time_limit: 1 } })).catch((error) => {
			if (error.details.status !== 429) throw error;
			if (!late()) tell("good", "It can be solved as it stands.", ` ${error.details.detail}`);
			return {};
		});
		if (late() || job.state !== "succeeded") return;
		if (job.objective && picture) picture.src = `${root}${job.links.self}/pictures/platform.svg?theme=${document.documentElement.dataset.theme}`;
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
	const path = pointer.replace(/^#/, "").split("/").slice(1).map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"));
	if (path[0] === "problem" && !path[3]) {
		const field = path[1] === "task" ? [...sizes].find((one) => one.dataset.size === path[2]) : { master, ports }[path[1]];
		if (field && !field.parentElement.hidden) return field;
	}
	let [, , list, i, member] = path;
	if (path[0] === "changes") {
		const { at } = draft.changes?.[path[1]] ?? {};
		[list, i, member] = Object.keys(KINDS).flatMap((one) => rows(one).flatMap((row, k) => [KINDS[one].quantity, "unit_time"].map((name) => [one, k, name, target(one, row, name)]))).find((one) => one[3] === at) ?? [];
	}
	if (!KINDS[list] || i === undefined) return null;
	member ??= KINDS[list].quantity;
	if (!views[list].cell(Number(i), member)) views[list].reveal(Number(i));
	return views[list].cell(Number(i), member);
}

/* Two columns of a spreadsheet are hosts, three are links. */
async function take(text) {
	const { read, leave } = await import("./paste.js"), { list, cells, unit, fault } = read(text);
	if (fault) return halt(), tell("wrong", fault);
	if (!inline()) (draft.problem ??= {}).platform = structuredClone(platform());
	const to = inline(), { columns } = KINDS[list];
	const key = (row) => columns.map((name) => row[name]).join("\n");
	const old = new Map(rows(list).map((row) => [key(row), row]));
	to[list] = cells.map((one) => {
		const row = Object.fromEntries(columns.map((name, i) => [name, one[i]]));
		const kept = { ...old.get(key(row)), ...row };
		const amount = one.at(-1);
		put(list, kept, unit && /^[\d./eE+-]+$/.test(amount) ? `${amount} ${unit}` : amount);
		return kept;
	});
	const measured = to[list].some((row) => /[a-df-z]/i.test(`${row.bandwidth ?? row.speed ?? ""}${row.unit_time ?? ""}`));
	if (measured) to.units = { time: "s", data: "B", work: "flop", ...to.units };
	if (list === "processors" && !to.processors.some(({ id }) => old.has(id))) {
		delete to.name;
		delete to.routes;
		leave(draft.problem, form);
	}
	if (list === "processors" && draft.problem.master && !to.processors.some(({ id }) => id === draft.problem.master)) draft.problem.master = "";
	pasted.value = "";
	commit(true);
}
document.addEventListener("paste", (event) => {
	if (event.target === body || event.target === pasted) return;
	const text = event.clipboardData.getData("text/plain").trim();
	if (/[\t\n]|;.*;/.test(text)) event.preventDefault(), take(text);
});
const pasted = document.getElementById("pasted");
document.getElementById("take").onclick = () => take(pasted.value);

/* The draft is kept in the browser; logging out deletes it (theme.js). */
const shelf = `draft ${form.dataset.tenant}`, first = body.value, notice = document.getElementById("kept");
function keep() {
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
