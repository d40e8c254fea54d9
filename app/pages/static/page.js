/* What every page loads; each part looks whether the page has what it is for. */
import "./live.js";
import "./pictures.js";
import "./new.js";
import "./studies.js";
import { say } from "./service.js";

/* Numbers that are cut in the middle are copied whole, over plain HTTP, too. */
document.addEventListener("click", ({ target }) => {
	const { copy } = target.dataset;
	if (!copy) return;
	document.oncopy = (event) => (event.clipboardData.setData("text/plain", copy), false);
	document.execCommand("copy");
	document.oncopy = null;
	say("Copied.");
});
