/* Pictures that can be pointed at, zoomed and read as tables; what the server drew stays otherwise. */
import { ask, element, root, say, wait } from "./service.js";

const OPTIONS = { ast: true, actions: false, defaultStyle: false, tooltip: { disableDefaultStyle: true }, logLevel: 1 };
const MOST_ROWS = 2000;
const PARTS = 2 ** 30;
const AFTER_ZOOM = 300;

let script;
function vega() {
	script ??= new Promise((resolve, reject) => {
		const onload = () => resolve(window.vegaEmbed);
		document.head.append(element("script", { src: `${root}/static/vega.js`, onload, onerror: reject }));
	});
	return script;
}

/* One at a time, since the service draws one at a time. */
let turn = Promise.resolve();
function inTurn(work) {
	turn = turn.then(work).catch(() => {});
	return turn;
}

class Picture {
	constructor(figure) {
		this.figure = figure;
		this.path = figure.dataset.picture;
		this.window = null; // as parts of the whole, of 1
		this.tools = element("div", { className: "tools" });
		this.reading = element("button", { textContent: "Show as table", ariaExpanded: false, onclick: () => this.read() });
		this.tools.append(this.reading);
		figure.querySelector("figcaption").before(this.tools);
	}

	async asked(format, options) {
		const query = new URLSearchParams({ ...options, ...Object.fromEntries(new URLSearchParams(this.figure.dataset.query)) });
		if (this.window) this.dates(this.window).forEach((date, i) => query.set(["from", "to"][i], date));
		for (let tries = 3; ; tries--) {
			try {
				return await ask(`${this.path}.${format}?${query}`);
			} catch (error) {
				if (error.details.status !== 503 || !tries) throw error;
				await wait(2000);
			}
		}
	}

	async draw() {
		const embed = await vega();
		const theme = document.documentElement.dataset.theme;
		const width = Math.min(Math.max(this.figure.clientWidth, 320), 4000);
		const spec = await (await this.asked("vega", { theme, width })).json();
		const place = element("div", { className: "drawing", ariaHidden: "true" });
		const { view, finalize } = await embed(place, spec, OPTIONS);
		this.finalize?.();
		(this.place ?? this.figure.querySelector("picture")).replaceWith(place);
		Object.assign(this, { place, view, finalize });
		if (this.path.endsWith("/gantt")) this.follow(spec);
		if (this.table) await this.fill();
	}

	redraw() {
		return inTurn(() => this.draw());
	}

	/* Zooming: the picture itself at once, and what is in the window a moment later. */
	follow(spec) {
		if (!this.whole) {
			this.whole = this.view.scale("x").domain();
			this.exact = spec.usermeta?.window;
			this.buttons();
		}
		let timer = 0;
		this.view.addSignalListener("zoom", () => {
			clearTimeout(timer);
			timer = setTimeout(() => this.zoomed(), AFTER_ZOOM);
		});
	}

	zoomed() {
		const [begin, end] = this.whole;
		this.show(...this.view.scale("x").domain().map((at) => (at - begin) / (end - begin)));
	}

	show(from, to) {
		const length = Math.min(Math.max(to - from, 2 / PARTS), 1);
		const begin = Math.min(Math.max(from, 0), 1 - length);
		this.window = length === 1 ? null : [begin, begin + length];
		return this.redraw();
	}

	/* Exact dates where the drawing has the exact window, which may be longer than any float. */
	dates(window) {
		if (!this.exact) return window.map((part) => this.whole[0] + part * (this.whole[1] - this.whole[0]));
		const [[a, b], [c, d]] = this.exact.map((text) => {
			const [over, under = "1"] = text.split("/");
			return [BigInt(over), BigInt(under)];
		});
		const parts = BigInt(PARTS);
		return window.map((part) => {
			const share = BigInt(Math.round(part * PARTS));
			return `${a * d * (parts - share) + c * b * share}/${b * d * parts}`;
		});
	}

	buttons() {
		// Of what is shown, the part by which either end moves.
		const moves = { Earlier: [-0.5, -0.5], Later: [0.5, 0.5], Closer: [0.25, -0.25], Wider: [-0.5, 0.5], Whole: [-PARTS, PARTS] };
		const group = element("div", { className: "window", role: "group", ariaLabel: "The time that is shown" });
		for (const [textContent, [left, right]] of Object.entries(moves)) {
			const onclick = async () => {
				const [begin, end] = this.window ?? [0, 1];
				await this.show(begin + left * (end - begin), end + right * (end - begin));
				const [from, to] = this.view.scale("x").domain().map((at) => Number(at.toPrecision(4)));
				say(`Shown from ${from} to ${to}.`);
			};
			group.append(element("button", { textContent, onclick }));
		}
		this.tools.prepend(group);
		this.figure.addEventListener("keydown", (event) => {
			if (event.key === "Escape" && this.window) this.show(0, 1);
		});
	}

	async read() {
		const open = !this.table;
		this.table?.remove();
		this.table = open && element("div", { className: "scroll", role: "region", tabIndex: 0, ariaLabel: "Table" });
		if (open) {
			this.figure.append(this.table);
			await this.fill();
		}
		this.reading.ariaExpanded = open;
		this.reading.textContent = open ? "Hide the table" : "Show as table";
	}

	/* The table has what the drawing shows. */
	async fill() {
		const { table } = this;
		try {
			table.replaceChildren(...tabled(rows(await (await this.asked("csv")).text())));
		} catch (error) {
			table.replaceChildren(error.message);
		}
	}
}

/** Read CSV as RFC 4180 has it. */
function rows(text) {
	const read = [[]];
	const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
	while (cells.lastIndex < text.length) {
		const found = cells.exec(text);
		if (!found) break;
		read.at(-1).push(found[1]?.replaceAll('""', '"') ?? found[2]);
		if (found[3] !== "," && cells.lastIndex < text.length) read.push([]);
	}
	return read;
}

function tabled([head, ...body]) {
	const table = element("table");
	table.createTHead().insertRow().append(...head.map((text) => element("th", { scope: "col", textContent: text })));
	const inside = table.createTBody();
	for (const row of body.slice(0, MOST_ROWS)) inside.insertRow().append(...row.map((text) => element("td", { textContent: text })));
	const more = body.length - MOST_ROWS;
	return more > 0 ? [table, `and ${more.toLocaleString("en")} more rows in the file`] : [table];
}

const seen = new Set();
const observer = new IntersectionObserver(
	(entries) => {
		for (const { target, isIntersecting } of entries) {
			if (!isIntersecting) continue;
			observer.unobserve(target);
			const picture = new Picture(target);
			seen.add(picture);
			picture.redraw();
		}
	},
	{ rootMargin: "200px" },
);
document.querySelectorAll("figure[data-picture]").forEach((figure) => observer.observe(figure));
document.addEventListener("theme", () => seen.forEach((picture) => picture.redraw()));
