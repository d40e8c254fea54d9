/* A schedule that runs: what is slower is told while one looks, on bars and in fields, and where it is now. */
import { element, root, say } from "./service.js";

const section = document.getElementById("running");
const { events, epoch, seconds, period } = section?.dataset ?? {};
const known = new Map();

function put(parent, name, values) {
	const one = parent.querySelector(`.${values.class}`) ?? parent.appendChild(document.createElementNS(parent.namespaceURI, name));
	for (const [attribute, value] of Object.entries(values)) one.setAttribute(attribute, value);
}

/* A link has one bandwidth, and a row for each direction. */
const turned = (key) => key.replace(/^link:(.*)->(.*)$/, "link:$2->$1");
const value = (text) => {
	const [above, below = 1] = text.split("/").map(Number);
	return above / below;
};

/** Marks on bars how fast a resource is now: the whole bar is as planned. */
function tick() {
	for (const row of document.querySelectorAll(".resources tbody tr")) {
		const key = new URL(row.querySelector("a").href).searchParams.get("resource") ?? new URLSearchParams(location.search).get("resource");
		const one = known.get(key) ?? known.get(turned(key ?? ""));
		const bar = row.querySelector("svg.bar");
		if (!one || !bar) continue;
		const at = `${100 * Math.min(1, value(one.measured) / value(one.planned))}%`;
		put(bar, "line", { class: "tick", x1: at, x2: at, y1: 0, y2: "100%" });
	}
}

/** Fills the fields of "Speeds changed" with what was measured, unless a person has written there. */
function fill() {
	for (const field of document.querySelectorAll(".measuring input")) {
		const { at, entry, filled = "" } = field.dataset;
		const { source, target } = entry ? JSON.parse(entry) : {};
		const [, , part, name] = at.split("/").map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"));
		const one = known.get(entry ? `link:${source}->${target}` : `${part === "media" ? "medium" : "processor"}:${name}`);
		if (one && field.value === filled) field.value = field.dataset.filled = one.measured === one.planned ? "" : one.measured;
	}
}

function heard({ data }) {
	const { items, drift } = JSON.parse(data);
	for (const one of items) known.set(one.resource, one);
	const noticed = [...known.values()].filter(({ text }) => text).sort((a, b) => value(b.slower) - value(a.slower));
	const lines = noticed.slice(0, 12).map((one) => `${one.resource.replace(/^[a-z]+:/, "")}: ${one.text} (measured ${one.measured}, planned ${one.planned})`);
	section.querySelector(".slower").replaceChildren(...lines.map((textContent) => element("li", { textContent })));
	section.querySelector(".rest")?.remove();
	if (noticed.length > 12) section.append(element("p", { className: "rest" }, `and ${noticed.length - 12} others`));
	if (drift?.kept) {
		const kept = section.querySelector(".kept") ?? section.insertBefore(element("p", { className: "kept" }), section.querySelector(".slower"));
		kept.replaceChildren(`It still does ${+(100 - 100 * value(drift.lost)).toFixed(1)} % of what was planned. `);
		if (drift.replan) kept.append(element("a", { href: `${root}/replans/${drift.replan}` }, "The new plan"));
	}
	section.hidden = !epoch && !lines.length && !drift?.kept;
	tick();
	fill();
	if (lines.length) say(lines[0]);
}

let stream = null;
function listen() {
	stream?.close();
	stream = document.hidden ? null : new EventSource(root + events);
	stream?.addEventListener("measured", heard);
}
if (events) {
	listen();
	document.addEventListener("visibilitychange", listen);
}

/** Moves the line of the present. */
function move() {
	for (const line of document.querySelectorAll(".period .now")) {
		const { left, wide, begin, end } = line.dataset;
		const elapsed = (Date.now() - Date.parse(epoch)) / 1000 / seconds;
		const at = +end <= +period ? elapsed % period : elapsed;
		const part = (at - begin) / (end - begin);
		line.toggleAttribute("hidden", part < 0 || part >= 1);
		line.setAttribute("transform", `translate(${+left + wide * part} 0)`);
	}
}
if (epoch) setInterval(move, 500);
