/* What is chosen is marked wherever it stands: in the picture, in the table and in the address. */
import { ask, root } from "./service.js";

const figure = document.querySelector("[data-keys]");
const bar = document.getElementById("picked");
const keys = JSON.parse(figure?.dataset.keys || "[]");
const listed = (text) => text?.split(" ") ?? [];
const now = () => new URLSearchParams(location.search).get("resource");

function mark(key) {
	const index = String(keys.indexOf(key));
	for (const one of document.querySelectorAll("[data-r]")) {
		const { r, b } = one.dataset;
		one.toggleAttribute("data-on", [...listed(r), ...listed(b)].includes(index));
		if (one.matches("a")) one.ariaCurrent = listed(r)[0] === index ? "true" : null;
	}
	for (const svg of document.querySelectorAll("svg.platform, svg.period")) svg.toggleAttribute("data-choosing", key !== null);
	const address = new URL(location);
	address.searchParams.delete("resource");
	if (key !== null) address.searchParams.set("resource", key);
	history.replaceState(null, "", address);
	for (const tab of document.querySelectorAll(".tabs a")) tab.search = address.search;
	return open(address);
}

/* The server opens the row: it has the exact numbers. */
let asked = 0;
async function open(address) {
	const mine = ++asked;
	const answer = await ask(address.pathname.slice(root.length) + address.search, { headers: { Accept: "text/html" } });
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	if (mine !== asked) return;
	const focused = document.activeElement.closest(".resources tr")?.dataset.r;
	for (const name of ["#picked", ".resources tbody"]) document.querySelector(name).replaceWith(page.querySelector(name));
	if (focused) document.querySelector(`.resources tr[data-r="${focused}"] a`)?.focus();
}

/* Sections that were on this page once are on its tabs. */
const moved = document.getElementById(location.hash.slice(1))?.closest(".tabs a");
if (moved) location.replace(moved.href);

document.addEventListener("click", (event) => {
	if (event.ctrlKey || event.metaKey || event.shiftKey || !figure || !bar) return;
	const link = event.target.closest("a");
	if (link?.closest("#picked") && !link.hash) return event.preventDefault(), mark(null);
	const one = event.target.closest("svg [data-r]:not([data-r='']), .resources [data-r] a")?.closest("[data-r]");
	if (!one) return;
	event.preventDefault();
	const key = keys[listed(one.dataset.r)[0]];
	mark(key === now() ? null : key);
});
document.addEventListener("keydown", ({ key }) => key === "Escape" && figure && bar && now() && mark(null));
if (document.getElementById("running")) import("./measured.js");

/* On a narrow screen the tabs scroll, and the one that is shown is among them. */
document.querySelector(".tabs [aria-current]").scrollIntoView({ inline: "center", block: "nearest" });
