// Steps through a record by the arrow keys and by links `rel="first"`, `prev`, `next`, `last`.
// Steps are taken one after the other, and none is lost.

const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
const idle = () => {};
const TYPING = "input, textarea, select, [contenteditable], [role=grid], [role=toolbar]";

// `go(address)` shows the page of a link; `onEnd()` is told that there is no further one,
// `onHand()` that somebody steps himself. Gives a function that steps to the first there is of
// some relations, and says how many steps are still to be shown.
export function stepping({ root, go, keys = Object.keys(KEYS), onEnd = idle, onHand = idle }) {
  let waiting = 0;
  let queue = Promise.resolve();
  const link = (relation) => root().querySelector(`a[rel="${relation}"]`);

  function step(...relations) {
    waiting += 1;
    queue = queue.then(() => take(relations)).catch(onEnd).finally(() => (waiting -= 1));
    return queue;
  }

  async function take(relations) {
    const asked = relations.map(link).find(Boolean);
    if (!asked) return onEnd();
    const held = document.activeElement && document.activeElement.getAttribute("rel");
    await go(asked.getAttribute("href"), waiting);
    const again = held && link(held);
    if (again) again.focus({ preventScroll: true });
  }

  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (!keys.includes(key) || event.defaultPrevented) return;
    if (target.closest && target.closest(TYPING)) return;
    if (!Object.values(KEYS).some(link)) return;
    event.preventDefault();
    onHand();
    if (event.repeat && waiting) return; // a key held down goes no faster than the pages come
    step(KEYS[key]);
  });

  document.addEventListener("click", (event) => {
    const asked = event.target.closest("a[rel]");
    if (!asked || !root().contains(asked)) return;
    if (!Object.values(KEYS).includes(asked.getAttribute("rel"))) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    onHand();
    step(asked.getAttribute("rel"));
  });

  return { step, link };
}
