/* A table as a spreadsheet copies it; loaded when one is pasted. */
const WIDTHS = { 2: "processors", 3: "links" };

/* Read it: of which list it is, its cells, and the unit that its header names; or say what is wrong. */
function read(text) {
	const lines = text.split(/\r?\n/).filter((one) => one.trim());
	if (!lines.length) return { fault: "There is nothing to take: paste a table first." };
	const between = ["\t", ";", ","].find((one) => lines[0].includes(one));
	if (!between) return { fault: "The first line has one column. Put a tab, a comma or a semicolon between name and speed, or between from, to and bandwidth." };
	let cells = lines.map((one) => one.split(between).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1")));
	const width = cells[0].length, list = WIDTHS[width];
	if (!list) return { fault: `The first line has ${width} columns. A table of hosts has two (name, speed), one of links three (from, to, bandwidth).` };
	const odd = cells.findIndex((one) => one.length !== width);
	if (odd >= 0) return { fault: `Line ${odd + 1} has ${cells[odd].length === 1 ? "1 column" : `${cells[odd].length} columns`}, and the first line has ${width}: "${lines[odd].trim().slice(0, 60)}".` };
	let unit = "";
	const head = cells[0][width - 1];
	if (!/\d/.test(head.replace(/[[(].*/, ""))) {
		unit = /[[(]\s*([^\])]+?)\s*[\])]/.exec(head)?.[1] ?? "";
		cells = cells.slice(1);
		if (!cells.length) return { fault: "There is only a header: paste the lines below it, too." };
	}
	return { list, cells, unit };
}

/** Take a table into the draft, or give what is wrong with it. */
export function take(text, { draft, inline, platform, rows, put, KINDS, form }) {
	const { list, cells, unit, fault } = read(text);
	if (fault) return fault;
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
	return "";
}

/** Take off a problem what came with the file of a platform that is gone, unless it was changed since. */
export function leave(problem, form) {
	const came = JSON.parse(form.dataset.came || "{}");
	for (const [name, value] of Object.entries(came)) if (problem?.[name] === value) delete problem[name];
	form.dataset.came = "";
}
