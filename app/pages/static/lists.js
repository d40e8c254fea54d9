/* What is done with several entries of a list. */
import { ask, element, leave } from "./service.js";

/* Jobs that go on, and jobs of sweeps, stay; the last refusal says why. */
async function deleteTicked(button) {
	const ticked = [...document.querySelectorAll("input[name=job]:checked")];
	if (!button.dataset.sure) {
		if (!ticked.length) return void (button.nextElementSibling?.matches(".hint") || button.after(element("p", { className: "hint", role: "status", textContent: "Tick the jobs to delete." })));
		button.dataset.sure = "yes";
		button.textContent = `Delete ${ticked.length} for ever`;
		return;
	}
	button.disabled = true;
	let refused = "";
	for (const { value } of ticked) await ask(`/v1/jobs/${value}`, { method: "DELETE" }).catch(({ message }) => (refused = message));
	if (!refused) {
		leave(`Deleted: ${ticked.length} ${ticked.length === 1 ? "job" : "jobs"}.`);
		return location.reload();
	}
	button.replaceWith(element("p", { role: "status", textContent: refused }));
}

const button = document.querySelector("button[data-ticked=delete]");
button?.addEventListener("click", () => deleteTicked(button));
