// Makes the places of a table of cells one stop of the Tab key: arrow keys lead to the nearest
// place that can be chosen, Home and End to the ends of a row. Without script each is a stop.

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const tables = () => document.querySelectorAll("table[data-cells]");
const linksOf = (table) => [...table.querySelectorAll("a")];

function attach() {
  for (const table of tables()) linksOf(table).forEach((link, at) => (link.tabIndex = at ? -1 : 0));
}

function placeOf(link) {
  const cell = link.closest("td");
  return [cell.parentNode.rowIndex, cell.cellIndex];
}

// Gives the nearest link in a direction, rather straight ahead than to the side.
function nearest(link, [down, across]) {
  const [row, column] = placeOf(link);
  let found = null;
  let least = Infinity;
  for (const other of linksOf(link.closest("table"))) {
    const [y, x] = placeOf(other);
    const ahead = (y - row) * down + (x - column) * across;
    const aside = Math.abs((y - row) * across) + Math.abs((x - column) * down);
    const away = ahead + 3 * aside;
    if (ahead > 0 && away < least) [found, least] = [other, away];
  }
  return found;
}

function endOfRow(link, key) {
  const row = [...link.closest("tr").querySelectorAll("a")];
  return key === "Home" ? row[0] : row.at(-1);
}

function goTo(link) {
  linksOf(link.closest("table")).forEach((one) => (one.tabIndex = -1));
  link.tabIndex = 0;
  link.focus();
}

addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || !target.closest("table[data-cells] a")) return;
  const link = target.closest("a");
  const next = key in STEPS ? nearest(link, STEPS[key]) : ["Home", "End"].includes(key) && endOfRow(link, key);
  if (!(key in STEPS) && !next) return;
  event.preventDefault();
  if (next) goTo(next);
});

document.addEventListener("sarsen:swapped", attach);
attach();
