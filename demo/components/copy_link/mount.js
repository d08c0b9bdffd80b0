// A button that copies the page's address: every control's value is in it.
const mounted = new WeakMap();

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text); // over plain http on another machine the clipboard is out of reach
  }
}

function copyBySelection(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

export default function mountCopyLink({ parentElement }) {
  if (mounted.has(parentElement)) return mounted.get(parentElement);
  const button = document.createElement("button");
  const said = document.createElement("span");
  let timer = 0;
  button.type = "button";
  button.className = "copy-link";
  button.textContent = "Copy link";
  button.title = "The link opens this page with everything set as it is now";
  said.className = "copy-link-said";
  said.setAttribute("role", "status");
  button.onclick = async () => {
    const copied = await copy(window.location.href);
    said.textContent = copied ? "Copied" : "Copy it from the address bar";
    clearTimeout(timer);
    timer = setTimeout(() => { said.textContent = ""; }, 2500);
  };
  parentElement.append(button, said);
  const cleanup = () => clearTimeout(timer);
  mounted.set(parentElement, cleanup);
  return cleanup;
}
