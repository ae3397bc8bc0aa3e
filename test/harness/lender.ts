import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { MailFault } from "../../apps/sandbox/src/faults.ts";
import type { Letter } from "../../apps/sandbox/src/letters.ts";
import { createSandbox } from "../../apps/sandbox/src/sandbox.ts";
import { openStore } from "../../apps/sandbox/src/store.ts";
import { freePort } from "./free-port.ts";

/** A running sandbox lender. */
export interface Lender {
  readonly url: string;
  readonly key: string;
  readonly lenderId: string;
  /** Creates a contract, like the pop-up. @returns its id */
  fund(loan: { amount: string; orderId: string; dial?: string }): Promise<string>;
  outage(kind: string): Promise<void>;
  /** How often the shop has requested a contract so far. */
  asked(contractId: string): number;
  /** The times of all calls of the API, in milliseconds of `performance.now()`. */
  readonly calls: readonly number[];
  /** The letters that have come so far, oldest first. */
  letters(): Letter[];
  /** Turns a fault of the mailbox on, or off with `none`. */
  setMailFault(kind: MailFault): Promise<void>;
  close(): Promise<void>;
}

/** Starts a sandbox lender whose contracts change their status every `step` milliseconds. */
export async function startLender(options: {
  folder: string;
  shopOrigin: string;
  step?: number;
  /** Where to start the mailbox's SMTP server; none without. */
  smtpPort?: number;
}): Promise<Lender> {
  const port = await freePort();
  const key = randomUUID();
  const store = openStore(join(options.folder, "sandbox.db"));
  const settings = {
    port,
    smtpPort: options.smtpPort,
    file: "",
    shopOrigin: options.shopOrigin,
    apiKey: key,
    step: options.step ?? 40,
  };
  const app = await createSandbox({ settings, store, now: Date.now });
  const asked = new Map<string, number>();
  const calls: number[] = [];
  app.server.on("request", ({ url: path = "" }) => {
    if (path.startsWith("/api/")) calls.push(performance.now());
    const id = /^\/api\/contracts\/(.+)$/.exec(path)?.[1];
    if (id !== undefined) asked.set(id, (asked.get(id) ?? 0) + 1);
  });
  await app.listen({ host: "127.0.0.1", port });
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    key,
    lenderId: store.lenderId,
    async fund({ amount, orderId, dial = "none" }) {
      const response = await fetch(`${url}/popup/contracts`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          amount,
          lender_id: store.lenderId,
          order_id: orderId,
          code: "beta",
          dial,
        }),
      });
      const body: unknown = await response.json();
      return String(Reflect.get(Object(body), "id"));
    },
    async outage(kind) {
      const response = await fetch(`${url}/sandbox/outage`, {
        method: "PUT",
        headers: { "content-type": "application/json", "x-api-key": key },
        body: JSON.stringify({ kind, seconds: 600 }),
      });
      if (response.status !== 204) throw new Error(`the sandbox answered ${response.status}`);
    },
    asked: (contractId) => asked.get(contractId) ?? 0,
    calls,
    letters: () =>
      store.letters
        .list()
        .flatMap(({ id }) => store.letters.find(id) ?? [])
        .toReversed(),
    async setMailFault(kind) {
      const response = await fetch(`${url}/mailbox/fault`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ kind, seconds: 600 }),
      });
      if (response.status !== 204) throw new Error(`the sandbox answered ${response.status}`);
    },
    async close() {
      await app.close();
      store.close();
    },
  };
}
