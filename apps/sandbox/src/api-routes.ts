import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { type FaultSwitch, faultRoute, type Outage, outages } from "./faults.ts";
import type { Contract, Store } from "./store.ts";
import { statusAt } from "./timeline.ts";

interface Options {
  readonly store: Store;
  readonly outage: FaultSwitch<Outage>;
  readonly apiKey: string;
  readonly step: number;
  readonly now: () => number;
}

/** The delay of a slow answer, in milliseconds. */
const SLOW = 3_000;

/** The API that the shop calls with its API key. */
export function apiRoutes(
  app: FastifyInstance,
  { store, outage, apiKey, step, now }: Options,
): void {
  app.addHook("onRequest", async (request, reply) => {
    if (request.headers["x-api-key"] !== apiKey)
      return reply.code(401).send({ error: "unknown api key" });
  });

  faultRoute(app, "/sandbox/outage", outages, outage);

  app.register(async (api) => {
    api.addHook("onRequest", async (_request, reply) => {
      switch (outage.current()) {
        case "down":
          return reply.code(503).send({ error: "the sandbox simulates an outage" });
        case "error":
          return reply.code(500).send({ error: "the sandbox simulates an error" });
        case "html":
          return reply.type("text/html").send("<!doctype html><title>Maintenance</title>");
        case "busy":
          return reply.code(429).header("Retry-After", "1").send({ error: "too many requests" });
        case "slow":
          await wait(SLOW);
          return;
        case "none":
          return;
      }
    });

    const answer = (contract: Contract) => wireContract(contract, step, now());
    api.get("/api/users/me", () => ({ id: store.lenderId, name: "Sandbox shop" }));
    api.get("/api/contracts", () => store.list().map(answer));
    api.get<{ Params: { id: string } }>("/api/contracts/:id", (request, reply) => {
      const contract = store.find(request.params.id);
      return contract === undefined
        ? reply.code(404).send({ error: "no such contract" })
        : reply.send(answer(contract));
    });
  });
}

function wireContract(contract: Contract, step: number, now: number) {
  const { status, since } = statusAt(contract.failure, now - contract.createdAt, step);
  return {
    id: contract.id,
    status,
    loan_amount: (contract.amount / 100).toFixed(2),
    loan_asset: "UsdcPol",
    client_contract_id: contract.orderId,
    created_at: new Date(contract.createdAt).toISOString(),
    updated_at: new Date(contract.createdAt + since).toISOString(),
  };
}
