import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { FaultSwitch, Outage } from "./faults.ts";
import { servePageFiles } from "./page-files.ts";
import type { Store } from "./store.ts";
import { termsFor } from "./terms.ts";
import { dials, stateAt, timelineOf } from "./timeline.ts";

interface Options {
  readonly store: Store;
  readonly outage: FaultSwitch<Outage>;
  readonly shopOrigin: string;
  readonly step: number;
  readonly now: () => number;
}

const OUTAGE_SECONDS = 20;

const loanRequest = z.object({
  amount: z
    .string()
    .check(z.regex(/^\d{1,9}(\.\d{1,2})?$/, "is not an amount of dollars such as 12.50")),
  lender_id: z.string().check(z.minLength(1)),
  order_id: z.string().check(z.regex(/^[0-9a-f-]{36}$/i, "is not a UUID")),
  code: z.string(),
  dial: z._default(z.enum(dials), "none"),
});

/** Serves the pop-up and the routes that it calls. */
export async function popupRoutes(app: FastifyInstance, options: Options): Promise<void> {
  const { store, outage, shopOrigin, step, now } = options;

  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'",
      "Cross-Origin-Opener-Policy": "unsafe-none",
    });
  });

  const page = await servePageFiles(app, "popup");
  app.get("/", (request, reply) => {
    const { data: loan, error } = loanRequest.safeParse(request.query);
    const faults = (error?.issues ?? []).map(({ path, message }) => `${path.join(".")} ${message}`);
    const known = loan === undefined || loan.lender_id === store.lenderId;
    const data = {
      shopOrigin,
      faults: known ? faults : ["lender_id is not known here"],
      loan,
      terms: loan === undefined ? undefined : termsFor(cents(loan.amount)),
    };
    const json = JSON.stringify(data).replaceAll("<", "\\u003c");
    return reply.type("text/html; charset=utf-8").send(page.replace("%DATA%", () => json));
  });

  app.post("/popup/contracts", (request, reply) => {
    const { data: loan } = loanRequest.safeParse(request.body);
    if (loan?.lender_id !== store.lenderId)
      return reply.code(422).send({ error: "this loan request is not valid" });
    const { amount, order_id, dial } = loan;
    if (dial === "slow") outage.set("slow", OUTAGE_SECONDS);
    if (dial === "api-down") outage.set("down", OUTAGE_SECONDS);
    const id = randomUUID();
    store.add({
      id,
      amount: dial === "wrong-amount" ? Math.floor(cents(amount) / 2) : cents(amount),
      orderId: dial === "wrong-order" ? randomUUID() : order_id.toLowerCase(),
      dial,
      createdAt: now(),
    });
    return reply.code(201).send({ id, states: timelineOf(dial) });
  });

  app.get<{ Params: { id: string } }>("/popup/contracts/:id", (request, reply) => {
    const contract = store.find(request.params.id);
    if (contract === undefined) return reply.code(404).send({ error: "no such contract" });
    return reply.send(stateAt(contract.dial, now() - contract.createdAt, step));
  });
}

function cents(amount: string): number {
  return Math.round(Number(amount) * 100);
}
