// Says things on a page in words that stand in its attributes: a browser without script or style
// sheets would show them all, were they in its text.
//
//   say(place, "queued", { move: "b4", board: link }) // the words of data-queued, with its parts

export function say(place, kind, parts = {}) {
  const line = document.createElement("p");
  const words = document.createElement("span");
  words.append(...filled(place.dataset[kind], parts));
  line.append(words);
  place.append(line);
  return line;
}

// The words with texts or elements in place of what stands in braces.
export function filled(words, parts) {
  return words.split(/\{(\w+)\}/).map((part, at) => (at % 2 ? parts[part] || "" : part));
}
