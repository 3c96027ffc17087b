// Logs in with a passkey, and adds one. Its forms are hidden where passkeys cannot be used.

const RENEW = 10 * 60 * 1000; // milliseconds; the server takes an answer for somewhat longer
const known = window.PublicKeyCredential;
const login = document.querySelector("form[data-passkey=login]");
const adding = document.querySelector("form[data-passkey=add]");
let offer = new AbortController(); // of passkeys in the list below the name's field

async function question(form) {
  const answer = await fetch(form.dataset.question, { method: "POST", body: new FormData(form) });
  if (!answer.ok) throw new Error(answer.statusText);
  return (await answer.json()).publicKey;
}

function send(form, challenge, credential) {
  form.elements.challenge.value = challenge;
  form.elements.answer.value = JSON.stringify(credential.toJSON());
  form.submit();
}

async function ask(form, options = {}) {
  const asked = await question(form);
  const device = navigator.credentials;
  const credential =
    form === adding
      ? await device.create({ publicKey: known.parseCreationOptionsFromJSON(asked) })
      : await device.get({ publicKey: known.parseRequestOptionsFromJSON(asked), ...options });
  send(form, asked.challenge, credential);
}

function ready(form) {
  const failed = form.querySelector("[role=alert]");
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    failed.hidden = true;
    offer.abort();
    ask(form).catch((error) => {
      failed.hidden = error.name === "NotAllowedError"; // the person changed his mind
      if (form === login) beOffered();
    });
  });
}

async function beOffered() {
  if (!(await known.isConditionalMediationAvailable?.())) return;
  offer.abort();
  const mine = (offer = new AbortController());
  const timer = setTimeout(beOffered, RENEW);
  ask(login, { mediation: "conditional", signal: mine.signal })
    .catch(() => {}) // nothing was chosen; the button and the letter are there
    .finally(() => mine.signal.aborted && clearTimeout(timer));
}

if (known?.parseRequestOptionsFromJSON && known.prototype.toJSON) {
  if (adding) {
    ready(adding);
    document.querySelector("[data-passkey=none]").hidden = true;
  }
  if (login) {
    ready(login);
    beOffered();
  }
}
