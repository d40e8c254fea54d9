/* A new job: by an example, a file or JSON, with a check. */
import { ask, element, root, say } from "./service.js";

export async function post(path, body, type = "application/json") {
	return (await ask(path, { method: "POST", headers: { "Content-Type": type }, body })).json();
}

const told = async (...what) => (await import("./faults.js")).told(...what);

/* What has a template is a sweep. */
const list = (body) => (JSON.parse(body)?.template ? "/sweeps" : "/jobs");
async function submit(body) {
	const to = list(body);
	location.assign(`${root}${to}/${(await post(`/v1${to}`, body)).id}`);
}

document.addEventListener("click", async ({ target }) => {
	const { run } = target.dataset;
	if (!run) return;
	target.disabled = true;
	try {
		const kind = await (await ask(`/v1/problems/${run}`)).json();
		await submit(JSON.stringify(kind.example));
	} catch (error) {
		target.disabled = false;
		target.after(` ${error.message}`);
	}
});

const form = document.getElementById("new-job");
if (form) begin(form);

function begin(form) {
	const body = form.querySelector("#body");
	const said = form.querySelector("#said-of-it");
	const files = form.querySelector("input[type=file]");
	const named = JSON.parse(body.defaultValue).name;
	const tell = (...parts) => (said.replaceChildren(...parts), say(said.textContent));
	const doing = (work) => async () => {
		const buttons = form.querySelectorAll("button");
		buttons.forEach((one) => (one.disabled = true));
		try {
			JSON.parse(body.value);
			await work();
		} catch (error) {
			tell(...(await told(error, body)));
		}
		buttons.forEach((one) => (one.disabled = false));
	};
	if (document.getElementById("vary")) import("./vary.js");
	form.onsubmit = (event) => event.preventDefault();
	form.querySelector("[data-do=check]").onclick = doing(async () => {
		const checked = await post(`/v1${list(body.value)}?validate_only=true`, body.value);
		tell(...(await import("./faults.js")).approved(checked));
	});
	form.querySelector("[data-do=solve]").onclick = doing(() => submit(body.value));
	const take = async (list) => list.length && (await import("./files.js")).take([...list], { body, named, post, tell });
	files.onchange = () => take(files.files);
	form.addEventListener("dragover", (event) => event.preventDefault());
	form.addEventListener("drop", (event) => {
		if (!event.dataTransfer.files.length) return;
		event.preventDefault();
		take(event.dataTransfer.files);
	});
}
