import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MailFault } from "../../apps/sandbox/src/faults.ts";
import { callJson, freePort } from "./network.ts";

/** A running sandbox: a simulated loan provider, and a mailbox. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

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
) {
  // Only here, because browser tests run the sandbox as a process of its own.
  const { createSandbox } = await import("../../apps/sandbox/src/sandbox.ts");
  const { openStore } = await import("../../apps/sandbox/src/store.ts");
  const port = await freePort();
  const key: string = randomUUID();
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
    /** Its folder, where a test may put more; removed with the sandbox, unless the test named it. */
    folder,
    /** Requests a loan, like the pop-up. Returns its id. */
    fund: (loan: Parameters<typeof requestLoan>[1]) =>
      requestLoan({ url, lenderId: store.lenderId }, loan),
    outage: (kind: string) => setSandboxFault({ url, key }, "/sandbox/outage", kind),
    /** How often the shop has requested a loan so far. */
    asked: (loanId: string) => asked.get(loanId) ?? 0,
    /** The times of all calls of the API, in milliseconds of `performance.now()`. */
    calls,
    /** The emails that have come so far, oldest first. */
    emails: () =>
      store.mailbox
        .list()
        .flatMap(({ id }) => store.mailbox.find(id) ?? [])
        .toReversed(),
    /** Turns a fault of the mailbox on, or off with `none`. */
    setMailFault: (kind: MailFault) => setSandboxFault({ url, key }, "/mailbox/fault", kind),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Requests a loan at the sandbox, as its pop-up does. Returns the loan's id. */
export async function requestLoan(
  sandbox: { readonly url: string; readonly lenderId: string },
  loan: { readonly amount: string; readonly orderId: string; readonly dial?: string | undefined },
): Promise<string> {
  const { body } = await callJson(`${sandbox.url}/popup/contracts`, "POST", {
    amount: loan.amount,
    lender_id: sandbox.lenderId,
    order_id: loan.orderId,
    code: "beta",
    dial: loan.dial ?? "none",
  });
  return String(Reflect.get(Object(body), "id"));
}

/** Makes the sandbox fail: its API, or its mailbox. */
export async function setSandboxFault(
  { url, key }: { readonly url: string; readonly key: string },
  path: "/sandbox/outage" | "/mailbox/fault",
  kind: string,
  seconds = 600,
): Promise<void> {
  const { status } = await callJson(
    `${url}${path}`,
    "PUT",
    { kind, seconds },
    { "x-api-key": key },
  );
  if (status !== 204) throw new Error(`the sandbox answered ${status}`);
}
