import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MailFault } from "../../apps/sandbox/src/faults.ts";
import type { Email } from "../../apps/sandbox/src/mailbox.ts";
import { freePort } from "./network.ts";

/** A running sandbox: a simulated loan provider, and a mailbox. */
export interface Sandbox extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly lenderId: string;
  /** Its folder, where a test may put more; removed with the sandbox, unless the test named it. */
  readonly folder: string;
  /** Requests a loan, like the pop-up. Returns its id. */
  fund(loan: { amount: string; orderId: string; dial?: string }): Promise<string>;
  outage(kind: string): Promise<void>;
  /** How often the shop has requested a loan so far. */
  asked(loanId: string): number;
  /** The times of all calls of the API, in milliseconds of `performance.now()`. */
  readonly calls: readonly number[];
  /** The emails that have come so far, oldest first. */
  emails(): Email[];
  /** Turns a fault of the mailbox on, or off with `none`. */
  setMailFault(kind: MailFault): Promise<void>;
  close(): Promise<void>;
}

/** Starts a sandbox whose loans change their status every `step` milliseconds. */
export async function startSandbox(
  options: {
    folder?: string;
    /** The origin of the shop whose pages open the pop-up; by default none that exists. */
    shopOrigin?: string;
    step?: number;
    /** Where to start the mailbox's SMTP server; none without. */
    smtpPort?: number;
  } = {},
): Promise<Sandbox> {
  // Only here, because browser tests run the sandbox as a process of its own.
  const { createSandbox } = await import("../../apps/sandbox/src/sandbox.ts");
  const { openStore } = await import("../../apps/sandbox/src/store.ts");
  const port = await freePort();
  const key = randomUUID();
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "keepsats-")));
  const store = openStore(join(folder, "sandbox.db"));
  const settings = {
    port,
    smtpPort: options.smtpPort,
    file: "",
    shopOrigin: options.shopOrigin ?? "http://localhost:1",
    apiKey: key,
    step: options.step ?? 40,
  };
  const app = await createSandbox(settings, store, Date.now);
  const asked = new Map<string, number>();
  const calls: number[] = [];
  app.server.on("request", ({ url: path = "" }) => {
    if (path.startsWith("/api/")) calls.push(performance.now());
    const id = /^\/api\/contracts\/(.+)$/.exec(path)?.[1];
    if (id !== undefined) asked.set(id, (asked.get(id) ?? 0) + 1);
  });
  await app.listen({ host: "127.0.0.1", port });
  const url = `http://127.0.0.1:${port}`;
  async function close(): Promise<void> {
    await app.close();
    store.close();
    if (options.folder === undefined) await rm(folder, { recursive: true });
  }

  return {
    url,
    key,
    lenderId: store.lenderId,
    folder,
    fund: (loan) => requestLoan({ url, lenderId: store.lenderId }, loan),
    outage: (kind) => setSandboxFault({ url, key }, "/sandbox/outage", kind),
    asked: (loanId) => asked.get(loanId) ?? 0,
    calls,
    emails: () =>
      store.mailbox
        .list()
        .flatMap(({ id }) => store.mailbox.find(id) ?? [])
        .toReversed(),
    setMailFault: (kind) => setSandboxFault({ url, key }, "/mailbox/fault", kind),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Requests a loan at the sandbox, as its pop-up does. Returns the loan's id. */
export async function requestLoan(
  sandbox: { readonly url: string; readonly lenderId: string },
  loan: { readonly amount: string; readonly orderId: string; readonly dial?: string | undefined },
): Promise<string> {
  const response = await fetch(`${sandbox.url}/popup/contracts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      amount: loan.amount,
      lender_id: sandbox.lenderId,
      order_id: loan.orderId,
      code: "beta",
      dial: loan.dial ?? "none",
    }),
  });
  const body: unknown = await response.json();
  return String(Reflect.get(Object(body), "id"));
}

/** Makes the sandbox fail: its API, or its mailbox. */
export async function setSandboxFault(
  { url, key }: { readonly url: string; readonly key: string },
  path: "/sandbox/outage" | "/mailbox/fault",
  kind: string,
  seconds = 600,
): Promise<void> {
  const response = await fetch(`${url}${path}`, {
    method: "PUT",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify({ kind, seconds }),
  });
  if (response.status !== 204) throw new Error(`the sandbox answered ${response.status}`);
}
