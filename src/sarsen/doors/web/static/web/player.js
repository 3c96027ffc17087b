// Steps through a record by the arrow keys, and plays it by itself. The links work without.

const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
const PAUSE = 1200; // milliseconds a position is shown while the game plays itself
const main = document.querySelector("main");
const button = document.createElement("button");
let timer = 0;
let isStepping = false;

const link = (relation) => main.querySelector(`a[rel="${relation}"]`);

async function step(relation) {
  const asked = link(relation);
  if (!asked || isStepping) return;
  isStepping = true;
  try {
    const address = asked.getAttribute("href");
    const answer = await fetch(address, { credentials: "omit" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const held = document.activeElement && document.activeElement.getAttribute("rel");
    main.replaceChildren(...page.querySelector("main").childNodes);
    document.title = page.title;
    history.replaceState(null, "", address);
    if (held && link(held)) link(held).focus();
  } catch {
    stop();
  } finally {
    isStepping = false;
  }
}

function stop() {
  clearInterval(timer);
  timer = 0;
  button.textContent = "Play";
}

async function play() {
  if (timer) return stop();
  button.textContent = "Stop";
  timer = setInterval(() => (link("next") ? step("next") : stop()), PAUSE);
  await step(link("next") ? "next" : "first");
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
  event.preventDefault();
  stop();
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
