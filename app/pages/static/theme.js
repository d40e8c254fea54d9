/* Runs before anything is painted: the colours of a stored choice, and that scripts run. */
(() => {
	const page = document.documentElement;
	const system = matchMedia("(prefers-color-scheme: dark)");
	const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
	const isDark = () => (stored() ?? (system.matches ? "dark" : "light")) === "dark";

	function keep(theme) {
		try {
			if ((theme === "dark") === system.matches) localStorage.removeItem("theme");
			else localStorage.setItem("theme", theme);
		} catch { /* Where nothing may be stored, a choice lasts for the page. */ }
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
	// The words stay, so that the rule is found again; nothing is without a width.
	function darkAs(dark) {
		return `${dark ? "all, " : "(max-width: 0px) and "}(prefers-color-scheme: dark)`;
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
