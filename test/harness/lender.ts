import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MailFault } from "../../apps/sandbox/src/faults.ts";
import type { Email } from "../../apps/sandbox/src/mailbox.ts";
import type { LoanProvider } from "../../apps/server/src/modules/payments/loans/loan-provider.ts";
import type { Loan } from "../../apps/server/src/modules/payments/loans/loan-provider-api.ts";
import { freePort } from "./network.ts";

/** A running sandbox lender. */
export interface Lender extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly lenderId: string;
  /** Its folder, where a test may put more; removed with the lender, unless the test named it. */
  readonly folder: string;
  /** Requests a loan, like the pop-up. @returns its id */
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

/** Starts a sandbox lender whose loans change their status every `step` milliseconds. */
export async function startLender(
  options: {
    folder?: string;
    /** The origin of the shop whose pages open the pop-up; by default none that exists. */
    shopOrigin?: string;
    step?: number;
    /** Where to start the mailbox's SMTP server; none without. */
    smtpPort?: number;
  } = {},
): Promise<Lender> {
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

/** Requests a loan at the sandbox, as its pop-up does. @returns the loan's id */
export async function requestLoan(
  lender: { readonly url: string; readonly lenderId: string },
  loan: { readonly amount: string; readonly orderId: string; readonly dial?: string | undefined },
): Promise<string> {
  const response = await fetch(`${lender.url}/popup/contracts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      amount: loan.amount,
      lender_id: lender.lenderId,
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

/** A provider that knows these loans only. */
export interface GivenLoans extends LoanProvider {
  /** Whether it gives no answer. */
  away: boolean;
  /** The ids of the loans that it was asked for. */
  readonly asked: string[];
}

/** A provider with these loans; `onAsked` is called before each answer. */
export function aProvider(
  loans: readonly Loan[] = [],
  onAsked: (id: string) => Promise<void> = async () => {},
): GivenLoans {
  const provider: GivenLoans = {
    away: false,
    asked: [],
    reachable: true,
    lenderId: async () => ({ kind: "deferred" }),
    loans: async () => ({ kind: "deferred" }),
    takeLoanCall: async () => async (id) => {
      provider.asked.push(id);
      await onAsked(id);
      if (provider.away) return { kind: "unavailable", why: "it is away" };
      const value = loans.find((loan) => loan.id === id);
      return value === undefined ? { kind: "absent" } : { kind: "found", value };
    },
  };
  return provider;
}

/** A contract as a provider sends it; a test may omit or misspell any field. */
export type ScriptedContract = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A loan provider whose answers the test sets. */
export interface ScriptedLender {
  readonly url: string;
  /** Adds a contract, or replaces it. */
  setContract(contract: ScriptedContract): void;
  /** Sets the handler of the list from now on; `undefined` restores the usual one. */
  listBy(
    answer:
      | ((response: ServerResponse, contracts: readonly ScriptedContract[]) => void)
      | undefined,
  ): void;
  /** How often the list, and each contract, was requested. */
  readonly asked: { list: number; readonly contracts: Map<string, number> };
  /** The times of all calls, in milliseconds of `performance.now()`. */
  readonly calls: number[];
  close(): Promise<void>;
}

/** A contract of 45 dollars that names an order. */
export function aContract(
  id: string,
  orderId: string | null,
  status: string,
  changes: object = {},
): ScriptedContract {
  return {
    id,
    status,
    loan_amount: "45.00",
    loan_asset: "UsdcPol",
    client_contract_id: orderId,
    ...changes,
  };
}

/** Starts a provider without contracts. */
export async function startScriptedLender(): Promise<ScriptedLender> {
  const contracts = new Map<string, ScriptedContract>();
  const asked = { list: 0, contracts: new Map<string, number>() };
  const calls: number[] = [];
  let listBy: Parameters<ScriptedLender["listBy"]>[0];
  const server = createServer((request, response) => {
    calls.push(performance.now());
    const path = request.url ?? "";
    if (path === "/api/users/me") return json(response, { id: "the-lender" });
    if (path === "/api/contracts") {
      asked.list += 1;
      if (listBy !== undefined) return listBy(response, [...contracts.values()]);
      return json(response, [...contracts.values()]);
    }
    const id = decodeURIComponent(path.replace("/api/contracts/", ""));
    asked.contracts.set(id, (asked.contracts.get(id) ?? 0) + 1);
    const contract = contracts.get(id);
    return contract === undefined ? json(response, {}, 404) : json(response, contract);
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    calls,
    setContract: (contract) => contracts.set(contract.id, contract),
    listBy(answer) {
      listBy = answer;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
