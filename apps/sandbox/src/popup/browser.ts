// Runs in the pop-up. It is served without a build, only with its types stripped, so it imports
// nothing.

type WidgetMessage =
  | { status: "success"; contractId: string }
  | { status: "cancelled"; reason: string }
  | { status: "error"; code: string; message: string }
  | { status: "done" };

/** In milliseconds. */
const POLL_INTERVAL = 500;

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

function postToShop(message: WidgetMessage): void {
  window.opener?.postMessage(message, document.body.dataset.shopOrigin ?? "");
}

function leave(): void {
  postToShop({ status: "done" });
}

function fail(code: string, message: string): void {
  find("#offer")?.setAttribute("hidden", "");
  find("#failed")?.removeAttribute("hidden");
  find("#why")?.replaceChildren(message);
  find("#failed h1")?.focus();
  postToShop({ status: "error", code, message });
}

async function fund(form: HTMLFormElement): Promise<void> {
  const loan = Object.fromEntries(new FormData(form));
  find("#fund")?.setAttribute("disabled", "");
  if (loan.dial === "error")
    return fail("sandbox_error", "The lender refused the loan, as selected.");
  const response = await fetch("/popup/contracts", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(loan),
  }).catch(() => undefined);
  if (response?.ok !== true)
    return fail("sandbox_unreachable", "The sandbox could not be reached. Nothing was lent.");
  const { id }: { id: string } = await response.json();
  postToShop({ status: "success", contractId: id });
  const address = `/popup/contracts/${id}`;
  await show("main", address);
  find("section")?.focus();
  window.history.replaceState(null, "", address);
  await followContract();
}

/** Replaces an element of this page by that of another page. */
async function show(selector: string, address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const [before, now] = [find(selector), page.querySelector(selector)];
  if (before && now && before.outerHTML !== now.outerHTML) before.replaceWith(now);
}

/** Shows each new status of the contract, until it has ended. */
async function followContract(): Promise<void> {
  while (find("#progress.active") !== null) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
    await show("#progress", window.location.href).catch(console.info);
  }
}

find("#alone")?.toggleAttribute("hidden", window.opener !== null);
find("#offer")?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target instanceof HTMLFormElement) void fund(event.target);
});
find("#cancel")?.addEventListener("click", () => {
  postToShop({ status: "cancelled", reason: "user_cancelled" });
  leave();
});
document.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.matches(".leave")) leave();
});
const error = find("[data-error]")?.dataset.error;
if (error !== undefined) postToShop({ status: "error", code: "bad_request", message: error });
void followContract();

export {};
