/* What is done with several entries of a list. */
import { ask, element, leave } from "./service.js";

const hint = (button, textContent) => {
	button.parentElement.querySelector(".hint")?.remove();
	button.after(element("p", { className: "hint", role: "status", textContent }));
};

/* The last refusal says why some stay as they are, such as jobs that go on or are of a sweep. */
async function each(button, ids, options, done) {
	button.disabled = true;
	let refused = "";
	for (const id of ids) await ask(`/v1/jobs/${id}`, options).catch(({ message }) => (refused = message));
	if (refused) return void button.replaceWith(element("p", { role: "status", textContent: refused }));
	leave(`${done}: ${ids.length} ${ids.length === 1 ? "job" : "jobs"}.`);
	location.reload();
}

const label = document.getElementById("ticked-label");
const acts = {
	delete(button, ids) {
		if (button.dataset.sure) return each(button, ids, { method: "DELETE" }, "Deleted");
		button.dataset.sure = "yes";
		button.textContent = `Delete ${ids.length} for ever`;
	},
	label: (button, ids) => change(button, ids, "Labelled"),
	unlabel: (button, ids) => change(button, ids, "Label removed"),
};
function change(button, ids, done) {
	const [, key, value] = /^([^:]*):?(.*)$/.exec(label.value.trim()), set = button.dataset.ticked === "label";
	if (!key || (set && !label.value.includes(":"))) return hint(button, "Write the label as key:value."), label.focus();
	const body = JSON.stringify({ labels: { [key]: set ? value : null } });
	return each(button, ids, { method: "PATCH", headers: { "Content-Type": "application/json" }, body }, done);
}

document.getElementById("content").addEventListener("click", ({ target: button }) => {
	const act = button.dataset.ticked;
	if (!act) return;
	const ids = [...document.querySelectorAll("input[name=job]:checked")].map(({ value }) => value);
	if (ids.length) acts[act](button, ids);
	else hint(button, "Tick the jobs first.");
});
