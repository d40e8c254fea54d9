/* Talking with the service, and to people who cannot see. */
export const root = document.documentElement.dataset.root;

/** Ask the API; a refusal is thrown, with its problem details as `details`. */
export async function ask(path, options = {}) {
	let answer;
	try {
		answer = await fetch(root + path, options);
	} catch {
		throw refusal({ detail: "The service does not answer." });
	}
	if (answer.ok) return answer;
	const type = answer.headers.get("Content-Type") ?? "";
	throw refusal(type.includes("json") ? await answer.json() : { detail: `The service says ${answer.status}.` });
}

export function refusal(details) {
	return Object.assign(new Error(details.detail), { details });
}

export function element(name, properties = {}, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children);
	return made;
}

/** Write a text as a target of changes compares with it. */
export const written = (text) => (/[\],/"]|^\s|\s$|^$/.test(text) ? JSON.stringify(text) : text);

/** Scroll a picture that is wider than its place to the middle, where the master is. */
export const middle = (place) => (place.scrollLeft = (place.scrollWidth - place.clientWidth) / 2);

/* What was done, for the next page to say; a browser may keep nothing. */
export function leave(text) {
	try { sessionStorage.setItem("done", text); } catch { /* It is not said then. */ }
}
export function left() {
	try {
		const text = sessionStorage.getItem("done");
		sessionStorage.removeItem("done");
		return text;
	} catch { return ""; }
}

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

const SILENCE = 5000;
let next = "", timer = 0;
/** Say a sentence aloud: the newest one, at most one in five seconds. */
export function say(sentence) {
	next = sentence;
	timer ||= setTimeout(speak, 100);
}
function speak() {
	const place = document.getElementById("said");
	timer = 0;
	if (!place || !next || place.textContent === next) return;
	place.textContent = next;
	next = "";
	timer = setTimeout(speak, SILENCE);
}
