// Runs in the page of the mailbox. It is served with its types stripped and without a build, so it
// imports nothing.

interface LetterHead {
  id: number;
  receivedAt: number;
  recipient: string;
  subject: string;
}

interface Letter extends LetterHead {
  sender: string;
  text: string;
  html: string;
  raw: string;
}

type View = "html" | "text" | "raw";

/** The interval between two looks for new letters, in milliseconds. */
const LOOK = 1_000;
const FAULT_SECONDS = 60;

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
}

const list = element("letters", HTMLOListElement);
const frame = element("html", HTMLIFrameElement);
const plain = element("plain", HTMLPreElement);
const fault = element("fault", HTMLSelectElement);
const status = element("status", HTMLParagraphElement);
let shown: Letter | undefined;
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
  const letter: Letter = await read(`/mailbox/letters/${id}`);
  shown = letter;
  element("letter", HTMLElement).hidden = false;
  element("subject", HTMLHeadingElement).textContent = letter.subject;
  element("from", HTMLElement).textContent = letter.sender;
  element("to", HTMLElement).textContent = letter.recipient;
  element("came", HTMLElement).textContent = time(letter.receivedAt);
  frame.src = `/mailbox/letters/${id}/html`;
  showBody();
  mark();
}

/** Marks the letter that is shown. */
function mark(): void {
  for (const button of list.querySelectorAll("button"))
    button.setAttribute("aria-current", String(button.dataset.id === String(shown?.id)));
}

function entry({ id, recipient, subject, receivedAt }: LetterHead): HTMLLIElement {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.id = String(id);
  for (const [name, text] of [
    ["subject", subject],
    ["recipient", `to ${recipient}`],
    ["came", time(receivedAt)],
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

function showList(letters: LetterHead[]): void {
  const now = letters.map(({ id }) => id).join();
  if (now === listed) return;
  const isFirst = listed === "";
  listed = now;
  element("none", HTMLParagraphElement).hidden = letters.length > 0;
  const focused =
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset.id : undefined;
  list.replaceChildren(...letters.map(entry));
  if (focused !== undefined) list.querySelector<HTMLElement>(`[data-id="${focused}"]`)?.focus();
  mark();
  const [newest] = letters;
  if (newest === undefined) return;
  if (!isFirst) status.textContent = `A new letter: ${newest.subject}`;
  if (shown === undefined) void show(newest.id).catch(report);
}

async function look(): Promise<void> {
  const { letters, fault: current } = await read("/mailbox/letters");
  if (document.activeElement !== fault) fault.value = current;
  showList(letters);
  if (status.textContent === lost) status.textContent = "";
}

const lost = "The sandbox does not answer. This page goes on trying.";
function report(error: unknown): void {
  console.info(error);
  status.textContent = lost;
}

async function keepLooking(): Promise<void> {
  for (;;) {
    await look().catch(report);
    await new Promise((resolve) => setTimeout(resolve, LOOK));
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
  element("letter", HTMLElement).hidden = true;
  fetch("/mailbox/letters", { method: "DELETE" }).then(look).catch(report);
});
void keepLooking();
