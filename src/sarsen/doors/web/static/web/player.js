// Steps through a record by the arrow keys, and plays it by itself. The links work without.

const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
const PAUSE = 1200; // milliseconds a position is shown while the game plays itself
const main = document.querySelector("main");
const button = document.createElement("button");
let isPlaying = false;
let timer = 0;
let waiting = 0; // steps asked for and not yet shown
let queue = Promise.resolve(); // steps are taken one after the other; none is lost

const link = (relation) => main.querySelector(`a[rel="${relation}"]`);

function step(...relations) {
  waiting += 1;
  queue = queue.then(() => take(relations)).catch(stop).finally(() => (waiting -= 1));
}

async function take(relations) {
  const asked = relations.map(link).find(Boolean);
  if (!asked) return stop();
  const address = asked.getAttribute("href");
  const answer = await fetch(address, { credentials: "omit" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const held = document.activeElement && document.activeElement.getAttribute("rel");
  main.replaceChildren(...page.querySelector("main").childNodes);
  document.title = page.title;
  history.replaceState(null, "", address);
  if (held && link(held)) link(held).focus();
  if (isPlaying && waiting === 1) timer = setTimeout(step, PAUSE, "next");
}

function stop() {
  clearTimeout(timer);
  isPlaying = false;
  button.textContent = "Play";
}

function play() {
  if (isPlaying) return stop();
  isPlaying = true;
  button.textContent = "Stop";
  step("next", "first");
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
  event.preventDefault();
  stop();
  if (event.repeat && waiting) return; // a key held down goes no faster than the pages come
  step(KEYS[event.key]);
});

main.addEventListener("click", (event) => {
  const asked = event.target.closest("a[rel]");
  if (!asked || !Object.values(KEYS).includes(asked.getAttribute("rel"))) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  step(asked.getAttribute("rel"));
});

if (link("next") || link("first")) {
  stop();
  button.addEventListener("click", play);
  document.body.append(button);
}
