import { lenderAccountSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { noFields, type Operation } from "../../../platform/http/operation.ts";
import { get, route } from "../../../platform/http/route.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { cachedFor } from "../../../platform/scheduling/cached-for.ts";
import { SECOND } from "../../../platform/scheduling/clock.ts";
import type { LoanProvider } from "./loan-provider.ts";

/** How long a failure is cached, and the `Retry-After` of the 503 answer. */
export const RETRY_AFTER_SECONDS = 2;

export function createReadLenderId(provider: Pick<LoanProvider, "lenderId">) {
  let known: string | undefined;
  const read = cachedFor(RETRY_AFTER_SECONDS * SECOND, () => provider.lenderId());

  /**
   * Returns the id of the shop's account at the loan provider, read once and cached; `undefined`
   * while it cannot be read. Concurrent calls share one request.
   */
  return async (): Promise<string | undefined> => {
    if (known !== undefined) return known;
    const answer = await read();
    if (answer.kind === "found") known = answer.value;
    return known;
  };
}

const operation = {
  operationId: "showAccount",
  summary: "Get the shop's account at the loan provider",
  takes: noFields,
  answers: { 200: lenderAccountSchema },
} satisfies Operation;

export function lenderAccountRoute(
  app: FastifyInstance,
  readLenderId: ReturnType<typeof createReadLenderId>,
): void {
  route(app, get(paths.lenderAccount), operation, async (_input, reply) => {
    const id = await readLenderId();
    reply.header("Cache-Control", "no-store");
    if (id !== undefined) return { id };
    reply.header("Retry-After", RETRY_AFTER_SECONDS);
    return new Refusal("unavailable", { detail: "The loan provider cannot be reached." });
  });
}
