// Runs in the mailbox page. It is served without a build, only with its types stripped, so it
// imports nothing.

interface EmailHead {
  id: number;
  receivedAt: number;
  recipient: string;
  subject: string;
}

interface Email extends EmailHead {
  sender: string;
  text: string;
  html: string;
  raw: string;
}

type View = "html" | "text" | "raw";

/** In milliseconds. */
const POLL_INTERVAL = 1_000;
const FAULT_SECONDS = 60;

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
}

const list = element("emails", HTMLOListElement);
const frame = element("html", HTMLIFrameElement);
const plain = element("plain", HTMLPreElement);
const fault = element("fault", HTMLSelectElement);
const status = element("status", HTMLParagraphElement);
let shown: Email | undefined;
let listed = "";

const time = (at: number) => new Date(at).toLocaleTimeString();

async function read(path: string) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
  return response.json();
}

function view(): View {
  const chosen = document.querySelector<HTMLInputElement>('input[name="view"]:checked')?.value;
  return chosen === "text" || chosen === "raw" ? chosen : "html";
}

function showBody(): void {
  if (shown === undefined) return;
  const chosen = view();
  frame.hidden = chosen !== "html";
  plain.hidden = chosen === "html";
  if (chosen !== "html") plain.textContent = shown[chosen];
}

async function show(id: number): Promise<void> {
  const email: Email = await read(`/mailbox/emails/${id}`);
  shown = email;
  element("email", HTMLElement).hidden = false;
  element("subject", HTMLHeadingElement).textContent = email.subject;
  element("from", HTMLElement).textContent = email.sender;
  element("to", HTMLElement).textContent = email.recipient;
  element("received", HTMLElement).textContent = time(email.receivedAt);
  frame.src = `/mailbox/emails/${id}/html`;
  showBody();
  markShown();
}

function markShown(): void {
  for (const button of list.querySelectorAll("button"))
    button.setAttribute("aria-current", String(button.dataset.id === String(shown?.id)));
}

function entry({ id, recipient, subject, receivedAt }: EmailHead): HTMLLIElement {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.id = String(id);
  for (const [name, text] of [
    ["subject", subject],
    ["recipient", `to ${recipient}`],
    ["received", time(receivedAt)],
  ] as const) {
    const part = document.createElement("span");
    part.className = name;
    part.textContent = text;
    button.append(part);
  }
  button.addEventListener("click", () => void show(id).catch(report));
  const item = document.createElement("li");
  item.append(button);
  return item;
}

function showList(emails: EmailHead[]): void {
  const now = emails.map(({ id }) => id).join();
  if (now === listed) return;
  const isFirst = listed === "";
  listed = now;
  element("none", HTMLParagraphElement).hidden = emails.length > 0;
  const focused =
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset.id : undefined;
  list.replaceChildren(...emails.map(entry));
  if (focused !== undefined) list.querySelector<HTMLElement>(`[data-id="${focused}"]`)?.focus();
  markShown();
  const [newest] = emails;
  if (newest === undefined) return;
  if (!isFirst) status.textContent = `New email: ${newest.subject}`;
  if (shown === undefined) void show(newest.id).catch(report);
}

async function refresh(): Promise<void> {
  const { emails, fault: current } = await read("/mailbox/emails");
  if (document.activeElement !== fault) fault.value = current;
  showList(emails);
  if (status.textContent === unreachable) status.textContent = "";
}

const unreachable = "The sandbox cannot be reached. This page keeps trying.";
function report(error: unknown): void {
  console.info(error);
  status.textContent = unreachable;
}

async function poll(): Promise<void> {
  for (;;) {
    await refresh().catch(report);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
}

for (const radio of document.querySelectorAll('input[name="view"]'))
  radio.addEventListener("change", showBody);
fault.addEventListener("change", () => {
  const body = JSON.stringify({ kind: fault.value, seconds: FAULT_SECONDS });
  const headers = { "content-type": "application/json" };
  fetch("/mailbox/fault", { method: "PUT", headers, body }).catch(report);
  fault.blur();
});
element("clear", HTMLButtonElement).addEventListener("click", () => {
  shown = undefined;
  element("email", HTMLElement).hidden = true;
  fetch("/mailbox/emails", { method: "DELETE" }).then(refresh).catch(report);
});
void poll();
