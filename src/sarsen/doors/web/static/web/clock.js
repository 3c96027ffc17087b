// Keeps the times left on a page as they are: counted anew each minute, in the words in which the
// server says them. Nothing moves, and nothing is said aloud.

const MINUTE = 60_000; // milliseconds
const UNITS = { day: 1440, hour: 60, minute: 1 }; // minutes
const { lang } = document.documentElement;

// `4 days`, `1 day 6 hours`, `20 minutes`; beside days no minutes.
function stretch(minutes, none) {
  const days = minutes >= UNITS.day;
  const words = [];
  for (const [unit, size] of Object.entries(UNITS)) {
    const count = Math.floor(minutes / size);
    minutes -= count * size;
    if (!count || (days && unit === "minute")) continue;
    words.push(new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" }).format(count));
  }
  return words.join(" ") || none;
}

function tick() {
  for (const place of document.querySelectorAll("time[data-left]")) {
    const minutes = Math.floor((new Date(place.dateTime) - Date.now()) / MINUTE);
    const said = place.dataset.left.replace("{left}", stretch(Math.max(minutes, 0), place.dataset.none));
    if (place.textContent !== said) place.textContent = said;
  }
}

setInterval(() => document.hidden || document.documentElement.dataset.kept || tick(), MINUTE / 4);
document.addEventListener("visibilitychange", () => document.hidden || tick());
