// Streamlit's list of pages holds headed groups in place of items, which is no list to a screen reader: its links stand in the menu as they are.
export function unlist(menu) {
  for (const node of menu?.querySelectorAll("ul, li") ?? []) node.setAttribute("role", "none");
}
