// A button that copies the page's address: every control's value is in it, and what is not is said.

import { keepOneEntryAPage } from "./history.js";
import { unlist } from "./menu.js";

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

export default function mountCopyLink({ data, parentElement }) {
  unlist(document.querySelector("[data-testid=stSidebarNav]"));
  const place = mounted.get(parentElement);
  if (place) {
    place.without = data.without;
    return place.cleanup;
  }
  return mount(parentElement, data.without);
}

function mount(parentElement, without) {
  keepOneEntryAPage(window, document.querySelector("[data-testid=stApp]"));
  const button = document.createElement("button");
  const said = document.createElement("span");
  const place = { without, timer: 0, cleanup: () => clearTimeout(place.timer) };
  button.type = "button";
  button.className = "copy-link";
  button.textContent = "Copy link";
  button.title = "The link opens this page with everything set as it is now";
  said.className = "copy-link-said";
  said.setAttribute("role", "status");
  button.onclick = async () => {
    const copied = await copy(window.location.href);
    said.textContent = copied ? `Copied${place.without && `. ${place.without}`}` : "Copy it from the address bar";
    said.classList.toggle("long", copied && Boolean(place.without));
    clearTimeout(place.timer);
    place.timer = setTimeout(() => { said.textContent = ""; }, place.without ? 20000 : 2500);
  };
  parentElement.append(button, said);
  mounted.set(parentElement, place);
  return place.cleanup;
}
