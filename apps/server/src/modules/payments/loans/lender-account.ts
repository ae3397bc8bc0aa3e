import { lenderAccountSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { noFields, type Operation } from "../../../platform/http/operation.ts";
import { get, route } from "../../../platform/http/route.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { type Clock, SECOND } from "../../../platform/scheduling/clock.ts";
import type { LoanProvider } from "./loan-provider.ts";

/** How long a failure is cached, and the `Retry-After` of the 503 answer. */
export const RETRY_AFTER_SECONDS = 2;

export function createReadLenderId({
  provider,
  now,
}: {
  readonly provider: Pick<LoanProvider, "lenderId">;
  readonly now: Clock;
}) {
  let known: string | undefined;
  let reading: Promise<string | undefined> | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;

  async function read(): Promise<string | undefined> {
    const answer = await provider.lenderId();
    known = answer.kind === "found" ? answer.value : undefined;
    notBefore = now() + RETRY_AFTER_SECONDS * SECOND;
    return known;
  }

  /**
   * Returns the id of the shop's account at the loan provider, read once and cached; `undefined`
   * while it cannot be read. Concurrent calls share one request.
   */
  return async (): Promise<string | undefined> => {
    if (known !== undefined || now() < notBefore) return known;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
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
