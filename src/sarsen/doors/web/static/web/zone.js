// Guesses the time zone from the device: fills it in for who joins, offers it to who has one.

const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
const field = document.querySelector("input[data-zone]");
const offered = document.querySelector("[data-zone=offered]");

if (here && field.dataset.zone === "fill") {
  if (field.value === field.defaultValue && field.value === "UTC") field.value = here;
} else if (here && here !== field.value) {
  offered.hidden = false;
  offered.querySelector("span").textContent = here;
  offered.querySelector("button").addEventListener("click", () => {
    field.value = here;
    offered.hidden = true;
    field.focus();
  });
}
