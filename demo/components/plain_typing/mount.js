// Tells the browser to leave what is typed into a text box as it is. The box may be drawn a moment later than this.

const PLAIN = { autocapitalize: "none", autocorrect: "off", spellcheck: "false" };
const TRIES = 50;

export default function mountPlainTyping({ data }) {
  let left = TRIES;
  const look = () => {
    const box = [...document.querySelectorAll("input")].find((input) => input.getAttribute("aria-label") === data.label);
    if (box) for (const [name, value] of Object.entries(PLAIN)) box.setAttribute(name, value);
    else if (left-- > 0) setTimeout(look, 100);
  };
  look();
}
