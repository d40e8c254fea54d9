/* What every page loads; each part looks whether the page has what it is for. */
import "./live.js";
import "./pictures.js";
import { element, left, middle, say } from "./service.js";

const done = left();
if (done) {
	document.getElementById("content").before(element("p", { className: "wide done", role: "status", textContent: done }));
	say(done);
}

document.querySelectorAll(".canvas:has(> .platform)").forEach(middle);

/* Numbers that are cut in the middle are copied whole, over plain HTTP, too. */
document.addEventListener("click", ({ target }) => {
	const { copy, all } = target.dataset;
	if (all) {
		document.querySelector(`table.${all}`).dataset.whole = "";
		target.remove();
	}
	if (!copy) return;
	document.oncopy = (event) => (event.clipboardData.setData("text/plain", copy), false);
	document.execCommand("copy");
	document.oncopy = null;
	say("Copied.");
});
