import type { MailFault } from "../faults.ts";
import { documentOf, html } from "../page.ts";
import type { Email, EmailHead } from "./emails.ts";

const faultLabels: Readonly<Record<MailFault, string>> = {
  none: "None",
  slow: "Emails are accepted slowly",
  later: "Emails are refused temporarily (451)",
  refuse: "Emails are refused permanently (550)",
  half: "The connection closes without a response",
  down: "Every connection closes at once",
};

const viewLabels = { html: "HTML", text: "Text", raw: "Source" };
export type View = keyof typeof viewLabels;

export function isView(view: string): view is View {
  return Object.hasOwn(viewLabels, view);
}

interface Shown {
  readonly emails: readonly EmailHead[];
  readonly email: Email | undefined;
  readonly view: View;
  readonly fault: MailFault;
}

/** The page of the mailbox: the emails, and one of them. */
export function mailboxPage({ emails, email, view, fault }: Shown): string {
  const items = emails.map(
    ({ id, subject, recipient, receivedAt }) =>
      html`<li id="email-${id}"><a href="/mailbox?email=${id}" ${current(id === email?.id)}>
        <b>${subject}</b> to ${recipient}, ${timeText(receivedAt)}
      </a></li>`,
  );
  const options = Object.entries(faultLabels).map(
    ([kind, label]) =>
      html`<option value="${kind}" ${kind === fault ? "selected" : ""}>${label}</option>`,
  );
  const body = html`<body>
    <header>
      <h1>Sandbox Mailbox</h1>
      <p class="tag">No email leaves this machine</p>
      <label>Simulate a fault for one minute <select id="fault">${options}</select></label>
      <button id="clear" type="button">Empty the mailbox</button>
    </header>
    <main class="mailbox">
      <nav aria-label="Emails">
        <ol id="emails" aria-live="polite">${items}</ol>
        <p>No emails yet. Place an order in the shop to receive one.</p>
      </nav>
      ${email === undefined ? "" : article(email, view)}
    </main>
  </body>`;
  return documentOf({ title: "Sandbox Mailbox", script: "mailbox", body });
}

function article(email: Email, view: View) {
  const views = Object.entries(viewLabels).map(
    ([name, label]) =>
      html`<a href="/mailbox?email=${email.id}&amp;view=${name}" ${current(name === view)}>${label}</a> `,
  );
  const content =
    view === "html"
      ? html`<iframe
          id="html"
          title="The email"
          src="/mailbox/emails/${email.id}/html"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerpolicy="no-referrer"
        ></iframe>`
      : html`<pre>${email[view]}</pre>`;
  return html`<article>
    <h2>${email.subject}</h2>
    <dl>
      <div><dt>From</dt><dd>${email.sender}</dd></div>
      <div><dt>To</dt><dd>${email.recipient}</dd></div>
      <div><dt>Received</dt><dd>${timeText(email.receivedAt)}</dd></div>
    </dl>
    <p>${views}</p>
    ${content}
  </article>`;
}

function current(isCurrent: boolean) {
  return isCurrent ? html`aria-current="true"` : "";
}

function timeText(at: number): string {
  return new Date(at).toLocaleTimeString("en-US");
}
