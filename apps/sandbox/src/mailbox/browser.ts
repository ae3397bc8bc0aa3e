// Runs in the mailbox page. It is served without a build, only with its types stripped, so it
// imports nothing.

/** In milliseconds. */
const POLL_INTERVAL = 1_000;
const FAULT_SECONDS = 60;

const fault = document.querySelector<HTMLSelectElement>("#fault");

/** Adds new emails to the list, and shows the fault that is simulated now. */
async function refresh(): Promise<void> {
  // Without an email, because this page keeps the email that it shows.
  const response = await fetch("/mailbox?email=none");
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const items = [...page.querySelectorAll("#emails > li")];
  for (const item of items.toReversed())
    if (document.getElementById(item.id) === null) document.querySelector("#emails")?.prepend(item);
  const current = page.querySelector<HTMLSelectElement>("#fault");
  if (fault && current && document.activeElement !== fault) fault.value = current.value;
}

fault?.addEventListener("change", async () => {
  const body = JSON.stringify({ kind: fault.value, seconds: FAULT_SECONDS });
  const headers = { "content-type": "application/json" };
  await fetch("/mailbox/fault", { method: "PUT", headers, body });
  fault.blur();
});
document.querySelector("#clear")?.addEventListener("click", async () => {
  await fetch("/mailbox/emails", { method: "DELETE" });
  window.location.assign("/mailbox");
});
// A refresh fails while the sandbox is restarted.
setInterval(() => refresh().catch(console.info), POLL_INTERVAL);

export {};
