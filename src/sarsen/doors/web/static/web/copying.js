// Copies what stands at a place, or hands it to another program of the device, at one press:
//
//   <input id="link" …> <p data-copies="link" hidden><button data-copy>… <button data-share>…
//     <span role="status" data-done="Copied.">
//
// Without script the buttons stay hidden, and one marks and copies the text oneself.

function show() {
  for (const row of document.querySelectorAll("[data-copies]")) {
    row.hidden = false;
    const sharing = row.querySelector("[data-share]");
    if (sharing) sharing.hidden = !navigator.share;
  }
}

// Only pages that came by https, or from this machine, may use the clipboard; all may copy
// what is marked.
async function copy(place, text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(place);
    place.select?.();
    return document.execCommand("copy");
  }
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copies] button");
  if (!button) return;
  const row = button.closest("[data-copies]");
  const place = document.getElementById(row.dataset.copies);
  const text = place.value || place.textContent;
  if ("share" in button.dataset) {
    navigator.share({ url: text }).catch(() => {}); // whoever changes his mind is no error
    return;
  }
  const said = row.querySelector("[data-done]");
  said.textContent = "";
  if (await copy(place, text)) said.textContent = said.dataset.done;
});

show();
document.addEventListener("sarsen:swapped", show);
