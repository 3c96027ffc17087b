// Swaps the parts of a page for those of a newer one, and keeps the place of whoever reads it.

const parts = (page) => [...page.querySelectorAll("[data-part]")];

// Puts the parts of a newer page in place of those of the same name; those that are gone go.
export function swapIn(page) {
  const newer = new Map(parts(page).map((part) => [part.dataset.part, part]));
  const held = document.activeElement && document.activeElement.id;
  for (const part of parts(document)) {
    const found = newer.get(part.dataset.part);
    if (!found) part.replaceChildren();
    else if (found.innerHTML !== part.innerHTML) {
      keepOpen(part, found);
      part.replaceWith(document.adoptNode(found));
    }
  }
  const again = held && document.getElementById(held);
  if (again && again !== document.activeElement) again.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("sarsen:swapped"));
}

// Tells whether somebody types or tries something that a newer page would take away.
export function isBusy() {
  if (document.body.dataset.past || document.querySelector("[data-busy], .tried")) return true;
  const fields = document.querySelectorAll("main input, main textarea, main select");
  return [...fields].some(isTouched);
}

function isTouched(field) {
  if (field.type === "hidden" || field.type === "submit") return false;
  if (field.type === "checkbox" || field.type === "radio") {
    return field.checked !== field.defaultChecked;
  }
  if (field instanceof HTMLSelectElement) {
    return [...field.options].some((one) => one.selected !== one.defaultSelected) && field.value !== field.options[0].value;
  }
  // What was typed is put back after a swap; who types on loses no letter.
  return field.value !== field.defaultValue && field === document.activeElement;
}

function keepOpen(older, newer) {
  const now = newer.querySelectorAll("details");
  const before = older.querySelectorAll("details");
  if (now.length === before.length) before.forEach((one, at) => (now[at].open = one.open));
}
