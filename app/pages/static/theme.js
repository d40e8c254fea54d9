/* Runs before anything is painted: the colours of a stored choice, and that scripts run. */
(() => {
	/* A logout leaves no draft behind. */
	document.addEventListener("submit", ({ target }) => {
		if (target.matches(".visitor")) Object.keys(localStorage).filter((key) => key.startsWith("draft ")).forEach((key) => localStorage.removeItem(key));
	});
	const page = document.documentElement;
	const system = matchMedia("(prefers-color-scheme: dark)");
	const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
	const isDark = () => (stored() ?? (system.matches ? "dark" : "light")) === "dark";

	function keep(theme) {
		try {
			if ((theme === "dark") === system.matches) localStorage.removeItem("theme");
			else localStorage.setItem("theme", theme);
		} catch { /* A choice lasts for the page then. */ }
	}
	function show() {
		const dark = isDark();
		for (const sheet of document.styleSheets)
			for (const rule of sheet.cssRules)
				if (rule.media?.mediaText.includes("color-scheme")) rule.media.mediaText = darkAs(dark);
		for (const source of document.querySelectorAll("source[media]")) source.media = dark ? "all" : "not all";
		page.style.colorScheme = page.dataset.theme = dark ? "dark" : "light";
		const button = document.getElementById("theme");
		if (button) button.textContent = dark ? "Light" : "Dark";
		document.dispatchEvent(new Event("theme"));
	}
	// The words stay, so that the rule is found again; nothing is without a width. Paper is light.
	function darkAs(dark) {
		return `${dark ? "screen, " : ""}(max-width: 0px) and (prefers-color-scheme: dark)`;
	}
	page.dataset.scripts = "";
	show();
	system.addEventListener("change", show);
	document.addEventListener("DOMContentLoaded", () => {
		show();
		document.getElementById("theme")?.addEventListener("click", () => {
			keep(isDark() ? "light" : "dark");
			show();
		});
	});
})();
