import { shortOrderId } from "@keepsats/domain";
import { createOrderSchema, idempotencyHeader, idempotencyKeySchema, paths } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import { ownPageOnly } from "../http/own-page.ts";
import { sendInvalid, sendProblem } from "../http/problems.ts";
import { rateLimit } from "../http/rate-limit.ts";
import type { Limit } from "../limits/limit.ts";
import type { OrderKeys, PlaceOrder, PlaceOrderOutcome } from "../orders/index.ts";

interface Options {
  readonly placeOrder: PlaceOrder;
  readonly keyOf: OrderKeys["keyOf"];
  readonly limit: Limit;
  /** The origin whose page may place orders. */
  readonly publicUrl: string;
}

/** `POST /api/orders`. */
export function orderRoutes(app: FastifyInstance, { placeOrder, keyOf, limit, publicUrl }: Options): void {
  app.post(
    paths.orders,
    { onRequest: [ownPageOnly(publicUrl), rateLimit(limit)] },
    async (request, reply) => {
      const key = request.headers[idempotencyHeader];
      if (key !== undefined && !idempotencyKeySchema.safeParse(key).success) {
        const message = "must be 1 to 200 printable ASCII characters";
        return sendProblem(reply, "invalid", { errors: [{ path: "Idempotency-Key", message }] });
      }
      const body = createOrderSchema.safeParse(request.body);
      if (!body.success) return sendInvalid(reply, body.error);
      const outcome = await placeOrder({
        body: body.data,
        idempotencyKey: typeof key === "string" ? key : undefined,
      });
      return answer(reply.header("Cache-Control", "no-store"), outcome, keyOf);
    },
  );
}

/** Completes an answer with the order's key, which is stored nowhere. */
function withKey<Answer extends { readonly id: string }>(answer: Answer, keyOf: OrderKeys["keyOf"]) {
  return { ...answer, key: keyOf(answer.id) };
}

function answer(reply: FastifyReply, outcome: PlaceOrderOutcome, keyOf: OrderKeys["keyOf"]) {
  switch (outcome.kind) {
    case "placed":
      reply.log.info({ order: shortOrderId(outcome.answer.id) }, "order placed");
      return reply.code(201).send(withKey(outcome.answer, keyOf));
    case "replayed":
      return reply.code(201).header("Idempotent-Replayed", "true").send(withKey(outcome.answer, keyOf));
    case "key-reused":
      return sendProblem(reply, "idempotency_conflict", {
        detail: "This Idempotency-Key was used with another body.",
      });
    case "invalid":
      return sendProblem(reply, "invalid", { errors: outcome.errors });
  }
}
