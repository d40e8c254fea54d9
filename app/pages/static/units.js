/* Quantities with a unit, in the unit of the platform; loaded when one is typed. */
const POWERS = "kMGTPE";
const SORTS = { f: "work", flop: "work", flops: "work", B: "data", byte: "data", bytes: "data", bit: "data", bits: "data" };

/* How much a unit is: of what, and how many flops or bits, exactly. */
function measure(unit) {
	const [, prefix, two, name] = /^(?:([kKMGTPE])(i?))?(f|flops?|B|bytes?|bits?)$/.exec(unit) ?? [];
	if (!name || (prefix === "k" && two) || (prefix === "K" && !two)) return null;
	const power = prefix ? BigInt(POWERS.indexOf(prefix.replace("K", "k")) + 1) : 0n;
	return { sort: SORTS[name], size: (two ? 1024n : 1000n) ** power * (/^B|^byte/.test(name) ? 8n : 1n) };
}
const divisor = (a, b) => (b ? divisor(b, a % b) : a);

/** Write a text as a plain number in a unit, such as B or B/s; or as it is, for the service to refuse. */
export function plain(text, label = "") {
	const [, whole, part = "", exponent = 0, below = 1, unit] = /^(\d{1,64})(?:\.(\d{1,64}))?(?:[eE]([+-]?\d{1,2}))?(?:\/(\d{1,64}))?\s*([A-Za-z][A-Za-z/]*)$/.exec(text.trim()) ?? [];
	if (!unit) return text;
	const rate = label.endsWith("/s"), written = unit.replace(/bps$/, "bit/s");
	if (written.endsWith("/s") !== rate) return text;
	const from = measure(written.replace("/s", "")), to = measure(label.replace("/s", ""));
	if (!from || from.sort !== to?.sort) return text;
	const power = BigInt(exponent) - BigInt(part.length);
	const above = BigInt(whole + part) * from.size * 10n ** (power > 0n ? power : 0n);
	const under = BigInt(below) * to.size * 10n ** (power < 0n ? -power : 0n);
	if (!under) return text;
	const common = divisor(above, under);
	return under === common ? String(above / common) : `${above / common}/${under / common}`;
}
