import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { FaultSwitch, Outage } from "../faults.ts";
import type { Store } from "../store.ts";
import { failures, statusAt } from "../timeline.ts";
import { contractPage, offerPage, refusalPage } from "./page.ts";

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
  dial: z._default(z.enum(failures), "none"),
});

/** Serves the pop-up and the routes that it calls. */
export function popupRoutes(app: FastifyInstance, options: Options): void {
  const { store, outage, shopOrigin, step, now } = options;

  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'",
      "Cross-Origin-Opener-Policy": "unsafe-none",
    });
  });

  const send = (reply: FastifyReply, page: string) =>
    reply.type("text/html; charset=utf-8").send(page);

  app.get("/", (request, reply) => {
    const { data: loan, error } = loanRequest.safeParse(request.query);
    if (loan === undefined) {
      const { issues = [] } = error ?? {};
      const faults = issues.map(({ path, message }) => `${path.join(".")} ${message}`);
      return send(reply, refusalPage(shopOrigin, faults));
    }
    if (loan.lender_id !== store.lenderId)
      return send(reply, refusalPage(shopOrigin, ["lender_id is not known here"]));
    return send(reply, offerPage(shopOrigin, loan, cents(loan.amount)));
  });

  app.post("/popup/contracts", (request, reply) => {
    const { data: loan } = loanRequest.safeParse(request.body);
    if (loan?.lender_id !== store.lenderId)
      return reply.code(422).send({ error: "this loan request is not valid" });
    const { amount, order_id, dial: failure } = loan;
    if (failure === "slow") outage.set("slow", OUTAGE_SECONDS);
    if (failure === "api-down") outage.set("down", OUTAGE_SECONDS);
    const id = randomUUID();
    store.add({
      id,
      amount: failure === "wrong-amount" ? Math.floor(cents(amount) / 2) : cents(amount),
      orderId: failure === "wrong-order" ? randomUUID() : order_id.toLowerCase(),
      failure,
      createdAt: now(),
    });
    return reply.code(201).send({ id });
  });

  app.get<{ Params: { id: string } }>("/popup/contracts/:id", (request, reply) => {
    const contract = store.find(request.params.id);
    if (contract === undefined) return reply.code(404).send({ error: "no such contract" });
    const { status } = statusAt(contract.failure, now() - contract.createdAt, step);
    return send(reply, contractPage(shopOrigin, contract, status));
  });
}

function cents(amount: string): number {
  return Math.round(Number(amount) * 100);
}
