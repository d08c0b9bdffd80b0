// The LaTeX of the lab's equations, read into a tree of what MathML has: { tag, text or kids }. A letter has the `keys` it may be looked up
// by, itself with its indices; a vector that is printed has its `vector`, the numbers that are seen of it and its size.

const LETTERS = { alpha: "α", beta: "β", delta: "δ", ell: "ℓ", rho: "ρ", sigma: "σ", theta: "θ", xi: "ξ", top: "⊤", dots: "…", cdots: "⋯" };
const OPERATORS = { odot: "⊙", in: "∈", times: "×", mid: "∣", le: "≤", leftarrow: "←", sum: "∑", prod: "∏", "{": "{", "}": "}" };
const SPACES = { ",": 0.167, ";": 0.278, " ": 0.333, quad: 1 };
const ACCENTS = { overrightarrow: "→", overleftarrow: "←", tilde: "~", hat: "^", bar: "¯" };
const TOKEN = /\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S/gy;
const VECTOR = /\[(-?\d[-\d.]*(?:,\\ -?\d[-\d.]*)*)(?:,\\ \\dots)?\] \\in \\mathbb\{R\}\^\{(\d+)\}/y;
const BRACKET = /\[[^[\]]{1,8}\]/y;
const BREAKS = new Set(["=", "+", "−", "∈"]);

const leaf = (tag, text, more = {}) => ({ tag, text, ...more });
const node = (tag, kids, more = {}) => ({ tag, kids, ...more });

export function textOf({ tag, text, kids }) {
  return text ?? (tag === "mover" ? kids.slice(0, 1) : kids ?? []).map(textOf).join("");
}

// In an index signs stand close.
function tight(script) {
  for (const kid of script.kids ?? []) if (kid.tag === "mo") kid.form = "tight";
  return script;
}

class Reader {
  constructor(latex, end = latex.length) {
    Object.assign(this, { latex, at: 0, end });
  }

  peek() {
    while (this.latex[this.at] === " " && this.at < this.end) this.at += 1;
    TOKEN.lastIndex = this.at;
    return this.at < this.end ? TOKEN.exec(this.latex)[0] : null;
  }

  take() {
    const token = this.peek();
    this.at += token?.length ?? 0;
    return token;
  }

  matches(pattern) {
    pattern.lastIndex = this.at;
    return pattern.exec(this.latex);
  }

  row(closing = null) {
    const items = [];
    for (let token = this.peek(); token !== null && token !== closing; token = this.peek()) items.push(this.scripted(this.atom(items.at(-1))));
    this.take();
    return items;
  }

  group() {
    if (this.peek() !== "{") return this.atom();
    this.take();
    const items = this.row("}");
    return items.length === 1 ? items[0] : node("mrow", items);
  }

  atom(before) {
    const vector = this.peek() === "[" && this.matches(VECTOR);
    if (vector && vector.index + vector[0].length <= this.end) return this.vector(vector);
    const token = this.take();
    if (token === "{") return node("mrow", this.row("}"));
    if (token.startsWith("\\")) return this.command(token.slice(1));
    if (/^\d/.test(token)) return leaf("mn", token);
    if (/^[A-Za-z]$/.test(token)) return leaf("mi", token);
    if (token !== "-") return leaf("mo", token, { form: "[(])".includes(token) ? null : "infix" });
    const signs = !before || (before.tag === "mo" && !")]".includes(before.text)) || before.tag === "mspace";
    return leaf("mo", "−", { form: signs ? "prefix" : "infix" });
  }

  vector([whole, numbers, size]) {
    const end = this.at + whole.indexOf("]") + 1;
    const inner = new Reader(this.latex.slice(this.at + 1, end));
    this.at = end;
    return node("mrow", [leaf("mo", "["), ...inner.row()], { vector: `${numbers.replace(/,\\ /g, ",")}|${size}` });
  }

  command(name) {
    if (name in LETTERS) return leaf("mi", LETTERS[name]);
    if (name in OPERATORS) return leaf("mo", OPERATORS[name], { form: "∑∏{}".includes(OPERATORS[name]) ? null : "infix" });
    if (name in SPACES) return leaf("mspace", "", { width: SPACES[name] });
    if (name in ACCENTS) return node("mover", [this.group(), leaf("mo", ACCENTS[name])]);
    if (name === "mathbb") return leaf("mi", textOf(this.group()) === "R" ? "ℝ" : "?");
    if (name === "mathrm" || name === "text") return leaf("mi", textOf(this.group()), { upright: true });
    if (name === "sqrt") return node("msqrt", [this.group()]);
    if (name === "frac" || name === "tfrac") return node("mfrac", [this.group(), this.group()]);
    if (name === "underset") {
      const below = this.group();
      return node("munder", [this.group(), below], { below: true });
    }
    const named = leaf("mi", name, { upright: true }); // a function: tanh
    return "(_".includes(this.peek() ?? "=") ? named : node("mrow", [named, leaf("mspace", "", { width: SPACES[","] })]);
  }

  // What stands below and above, in either order.
  scripted(base) {
    const scripts = {};
    for (let token = this.peek(); token === "_" || token === "^"; token = this.peek()) {
      this.take();
      scripts[token] = tight(this.group());
    }
    const { _: low, "^": high } = scripts;
    if (base.tag === "munder" && base.below && (low || high)) return node("munder", [this.marked(base.kids[0], low, high), base.kids[1]]);
    if (low && ["∑", "∏"].includes(base.text)) return node(high ? "munderover" : "munder", high ? [base, low, high] : [base, low]);
    return this.marked(base, low, high);
  }

  marked(base, low, high) {
    const behind = !low && !high && (base.tag === "mi" || base.tag === "mover") ? this.matches(BRACKET) : null;
    const raised = high && textOf(high).startsWith("(") ? textOf(high) : "";
    const own = textOf(base) + (low ? textOf(low) : "") + raised;
    const keys = (behind ? [own + textOf(node("mrow", new Reader(behind[0]).row())), own] : [own]).map((key) => key.replaceAll("−", "-"));
    const more = base.upright || base.tag === "mo" ? {} : { keys };
    if (low && high) return node("msubsup", [base, low, high], more);
    if (low || high) return node(low ? "msub" : "msup", [base, low ?? high], more);
    return base.tag === "mi" || base.tag === "mover" ? { ...base, ...more } : base;
  }
}

// A formula in pieces, between which a line may break: before what is equal, a summand, and the set that something is in.
export function piecesOf(latex) {
  const pieces = [[]];
  for (const item of new Reader(latex).row()) {
    if (item.tag === "mo" && item.form === "infix" && BREAKS.has(item.text) && pieces.at(-1).length) pieces.push([]);
    pieces.at(-1).push(item);
  }
  return pieces;
}
