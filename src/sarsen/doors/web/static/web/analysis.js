// The answer beside an analysis board: asked by a stream, which is closed when the position changes
// or the page is left; the server then ends its search. Without it a link asks.

let stream = null;

function ask() {
  stream?.close();
  stream = null;
  const place = document.querySelector(".found[data-stream]");
  if (!place) return;
  place.querySelector(".waits").hidden = false; // nothing is searched before
  const own = (stream = new EventSource(place.dataset.stream));
  own.addEventListener("answer", ({ data }) => {
    own.close();
    place.innerHTML = data;
    const advised = place.querySelector("template");
    if (advised) document.querySelector(".live .view")?.append(advised.content);
  });
  // One that was cut off asks again by itself; one that is refused does not.
  own.addEventListener("error", () => own.readyState === EventSource.CLOSED && place.remove());
}

document.addEventListener("sarsen:swapped", ask);
// A page that the browser keeps to go back to would keep its search.
addEventListener("pagehide", () => stream?.close());
addEventListener("pageshow", ({ persisted }) => persisted && ask());
ask();
