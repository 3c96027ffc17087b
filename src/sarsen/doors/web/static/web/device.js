// What forms get from the device: its time zone, its clipboard, its passkeys, and its notices.
// Without script, or where the device has none, they are hidden, or filled in by hand.

const KEPT_DEVICE = "/kept/device"; // by this the worker says which device it was; see worker.js
const RENEW = 10 * 60 * 1000; // milliseconds; the server takes an answer for somewhat longer
const find = (selector) => document.querySelector(selector);

// Fills the time zone in on joining, and offers it where another one is set.
const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const zone = find("input[data-zone]");
const offered = find("[data-zone=offered]");

if (localZone && offered && zone.value !== localZone) {
  offered.querySelector("span").textContent = localZone;
  offered.hidden = false;
  offered.querySelector("button").addEventListener("click", () => {
    zone.value = localZone;
    offered.hidden = true;
    zone.focus();
  });
} else if (localZone && zone && zone.value === "UTC" && zone.defaultValue === "UTC") {
  zone.value = localZone;
}

// Copies what stands at a place, or hands it to another program of the device, at one press:
//   <input id="link" …> <p data-copies="link"><button data-copy>… <button data-share>…
//     <span role="status" data-done="Copied.">
document.documentElement.toggleAttribute("data-shares", "share" in navigator);

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copies] button");
  if (!button) return;
  const row = button.closest("[data-copies]");
  const place = document.getElementById(row.dataset.copies);
  const text = place.value || place.textContent;
  if ("share" in button.dataset) {
    navigator.share({ url: text }).catch(() => {}); // sharing may be given up
    return;
  }
  const status = row.querySelector("[data-done]");
  status.textContent = "";
  if (await copy(place, text)) status.textContent = status.dataset.done;
});

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

// Logs in with a passkey, and adds one.
const credentialApi = window.PublicKeyCredential;
const login = find("form[data-passkey=login]");
const addForm = find("form[data-passkey=add]");
let offer = new AbortController(); // of passkeys in the list below the name's field

async function usePasskey(form, options) {
  const answer = await fetch(form.dataset.question, { method: "POST", body: new FormData(form) });
  if (!answer.ok) throw new Error(answer.statusText);
  const { publicKey } = await answer.json();
  const { credentials } = navigator;
  const credential =
    form === addForm
      ? await credentials.create({ publicKey: credentialApi.parseCreationOptionsFromJSON(publicKey) })
      : await credentials.get({ publicKey: credentialApi.parseRequestOptionsFromJSON(publicKey), ...options });
  submit(form, { challenge: publicKey.challenge, answer: JSON.stringify(credential) });
}

function submit(form, values) {
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
  form.submit();
}

async function offerPasskeys() {
  if (!(await credentialApi.isConditionalMediationAvailable?.())) return;
  offer.abort();
  offer = new AbortController();
  const { signal } = offer;
  const timer = setTimeout(offerPasskeys, RENEW);
  signal.addEventListener("abort", () => clearTimeout(timer));
  // Where nothing is chosen, the button and the letter are there.
  usePasskey(login, { mediation: "conditional", signal }).catch(() => {});
}

function ready(form) {
  const failed = form.querySelector("[role=alert]");
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    failed.hidden = true;
    offer.abort();
    usePasskey(form).catch((error) => {
      failed.hidden = error.name === "NotAllowedError"; // it was given up
      if (form === login) offerPasskeys();
    });
  });
}

if (credentialApi?.parseRequestOptionsFromJSON && credentialApi.prototype.toJSON) {
  for (const form of [login, addForm]) if (form) ready(form);
  if (login) offerPasskeys();
  if (addForm) find("[data-passkey=none]").hidden = true;
}

// Switches notices on this device on, and off again: asks the browser, and tells the server.
const pushForm = find("form[data-push]");
const pushEndForm = find("form[data-push-end]");

async function subscribe(applicationServerKey) {
  const { pushManager } = await navigator.serviceWorker.ready;
  // One under an older key of the server would never be sent to.
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

async function switchOn() {
  const isAllowed = (await Notification.requestPermission()) === "granted";
  try {
    if (!isAllowed) throw new Error("refused");
    const subscription = await subscribe(pushForm.dataset.push);
    const { endpoint, keys } = subscription.toJSON();
    await (await caches.open("device")).put(KEPT_DEVICE, Response.json(subscription));
    submit(pushForm, { endpoint, public: keys.p256dh, secret: keys.auth });
  } catch {
    pushForm.querySelector("[data-push-refused]").hidden = isAllowed;
    pushForm.querySelector("[data-push-failed]").hidden = !isAllowed;
  }
}

if (pushForm && "PushManager" in window && "Notification" in window) {
  pushForm.hidden = false;
  find("[data-push-none]").hidden = true;
  pushForm.addEventListener("submit", (event) => {
    event.preventDefault();
    switchOn();
  });
}

pushEndForm?.addEventListener("submit", async () => {
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
});
