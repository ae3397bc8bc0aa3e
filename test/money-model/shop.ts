/** A running shop that the model calls over HTTP, kills, and starts again. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type * as z from "zod/mini";
import { type Issue, inCents } from "../harness/money-answers.ts";
import { freePort } from "../harness/network.ts";
import { open, type Started, startProcess } from "../harness/server-process.ts";
import { readAllPages } from "../harness/staff.ts";

/** An answer of the shop. `tries` counts the requests until there was one. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly tries: number;
}

/** A request that is repeated until the shop answers it. */
export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** For a call of the admin API. */
  readonly isStaff?: boolean;
}

interface Options {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly providerUrl: string;
  readonly smtpPort: number;
  /** How long an order may wait for its payment, in milliseconds. */
  readonly term: number;
}

const RETRY = 60;
/** In milliseconds. On a busy machine, a killed server takes half a minute to start. */
const LONGEST_OUTAGE = 180_000;
const program = join(import.meta.dirname, "server.ts");
export const MERCHANT_ADDRESS = "orders@shop.example";

export type Shop = Awaited<ReturnType<typeof startShop>>;

export async function startShop(options: Options) {
  const token = randomUUID();
  const port = await freePort();
  let ahead = 0;
  let output = "";
  const env = {
    DATABASE_URL: options.databaseUrl,
    ADMIN_TOKEN: token,
    LOAN_API_URL: options.providerUrl,
    LOAN_API_KEY: "the-key-of-the-model",
    LOAN_POPUP_URL_TEST: options.providerUrl,
    SMTP_URL: `smtp://127.0.0.1:${options.smtpPort}`,
    MAIL_FROM: MERCHANT_ADDRESS,
    WEBHOOKS_PRIVATE: "on",
    TRUST_PROXY: "1",
    DRAIN_SECONDS: "0",
    RATE_LIMIT_ORDERS: "1000000",
    RATE_LIMIT_SOCKETS: "1000000",
    MAX_SOCKETS_PER_ADDRESS: "1000000",
    LOG_LEVEL: "error",
    MODEL_TERM: String(options.term),
  };
  const start = async () =>
    open(
      await startProcess({
        env: { ...env, MODEL_AHEAD: String(ahead) },
        args: ["--disable-warning=ExperimentalWarning", program],
        cwd: options.folder,
        port,
      }),
    );
  let server: Started = await start();
  const url = `http://localhost:${port}`;

  async function kill(): Promise<void> {
    await server.end("SIGKILL");
    output += server.output();
    server = await start();
  }

  async function call({
    method = "GET",
    path,
    body,
    headers,
    isStaff = false,
  }: Call): Promise<Answer> {
    const end = Date.now() + LONGEST_OUTAGE;
    for (let tries = 1; Date.now() < end; tries += 1) {
      try {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: {
            ...headers,
            ...(isStaff ? { authorization: `Bearer ${token}` } : { origin: url }),
            ...(body === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        if (response.status < 500)
          return { status: response.status, body: text === "" ? {} : JSON.parse(text), tries };
        if (response.status !== 503)
          output += `\nHTTP ${response.status} ${method} ${path} ${text}`;
      } catch {
        // The server was killed: the request may have been carried out or not.
      }
      await pause(RETRY);
    }
    throw new Error(`${method} ${path} got no answer in ${LONGEST_OUTAGE} ms`);
  }

  async function read<Schema extends z.ZodMiniType>(schema: Schema, path: string) {
    const { status, body } = await call({ path, isStaff: true });
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    return schema.parse(body);
  }

  return {
    url,
    call,
    staff: (method: string, path: string, body?: unknown, key?: string) =>
      call({
        method,
        path: `/api/admin/${path}`,
        body,
        isStaff: true,
        ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
      }),
    order: (id: string) => read(inCents.order, `/api/admin/orders/${id}`),
    receipts: async (id: string) =>
      (await read(inCents.receipts, `/api/admin/orders/${id}/receipts`)).receipts,
    issue: (id: string) => read(inCents.issueWithLedger, `/api/admin/payment-issues/${id}`),
    async issues(): Promise<Issue[]> {
      const pages = await readAllPages((query) =>
        read(inCents.issuePage, `/api/admin/payment-issues${query}`),
      );
      return pages.flatMap(({ payment_issues }) => payment_issues);
    },
    kill,
    /** Kills the server and starts it with clocks that are ahead. */
    async advance(milliseconds: number): Promise<void> {
      ahead += milliseconds;
      await kill();
    },
    /** The lines that the server has logged as errors. */
    errors: () =>
      `${output}\n${server.output()}`
        .split("\n")
        .filter((line) => line.includes('"level":50') || line.startsWith("HTTP 5")),
    close: () => server.end("SIGKILL"),
  };
}
