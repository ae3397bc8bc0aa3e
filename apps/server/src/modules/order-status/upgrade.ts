import type { IncomingMessage } from "node:http";
import {
  heartbeatWanted,
  MAX_STREAM_ID_LENGTH,
  type ProblemCode,
  paths,
  streamMessageSchema,
  streamParameters,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Operation, RoutedOperation } from "../../platform/http/operation.ts";
import type { RefusalDetails } from "../../platform/http/websocket.ts";
import type { Limit } from "../../platform/rate-limit/limit.ts";
import type { CheckKey } from "../orders/index.ts";
import type { SubscribeRequest } from "./order-stream.ts";

const idSchema = z
  .string()
  .check(z.minLength(1, "is missing"), z.maxLength(MAX_STREAM_ID_LENGTH, "is too long"));

const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  schema.check(z.meta({ description }));

const subscribeQuerySchema = z
  .object({
    [streamParameters.orderId]: described(idSchema, "The id of the order"),
    [streamParameters.contractId]: described(
      z.optional(idSchema),
      "The id of a loan for the order; optional with `key`",
    ),
    [streamParameters.key]: described(
      z.optional(z.string()),
      "The key of the order, from the answer of `placeOrder`. It is a secret",
    ),
    [streamParameters.heartbeat]: z.optional(
      z.string().check(z.meta({ enum: [heartbeatWanted], description: "Requests heartbeats" })),
    ),
  })
  .check(
    z.refine((query) => query.contract_id !== undefined || query.key !== undefined, {
      path: [streamParameters.contractId],
      message: "is missing, and so is key",
    }),
  );

const description = `The server sends JSON text messages; \`x-messages\` names their schema. At least one of \`contract_id\` and \`key\` is required.

A client that sends no \`Origin\` header, such as a program outside a browser, needs the right \`key\`; otherwise the answer is 403. A request with the \`Origin\` of another site is answered with 403, even with \`key\`.

With the order's \`key\`, the whole order is sent at once and after every change, with or without a loan. With \`contract_id\` alone, the order is sent once the loan is bound to it, and without name, email and addresses until that loan has paid it. A loan for another order causes the error \`ContractNotFound\`, an unreachable loan provider \`ConnectionError\`; subscribers with the key still get the order.

If a page sends a wrong \`key\`, the answer without \`contract_id\` is the error \`OrderNotFound\`, as for an unknown order; with \`contract_id\` the key is ignored. Too many wrong keys from one address are answered with 429.`;

/** For the API document: requests for a socket are not handled by a route. */
export const orderStreamOperation: RoutedOperation = {
  method: "GET",
  path: paths.orderStream,
  operation: {
    operationId: "subscribeToOrder",
    summary: "Subscribe to an order (WebSocket)",
    description,
    takes: z.object({ query: subscribeQuerySchema }),
    answers: {},
    messages: { name: "OrderStreamMessage", schema: streamMessageSchema },
  } satisfies Operation,
};

/** `heartbeat`: the client requests heartbeats. */
type UpgradeDecision =
  | { readonly kind: "accept"; readonly request: SubscribeRequest; readonly heartbeat: boolean }
  | { readonly kind: "refuse"; readonly code: ProblemCode; readonly details?: RefusalDetails };

export interface UpgradeOptions {
  /** The origin whose pages may open sockets. */
  readonly publicUrl: string;
  /** The rate limit of sockets that an address opens. */
  readonly limit: Limit;
  readonly checkKey: CheckKey;
}

/** @param address the client's address, as trusted proxies report it */
export async function decideUpgrade(
  request: IncomingMessage,
  address: string,
  { publicUrl, limit, checkKey }: UpgradeOptions,
): Promise<UpgradeDecision> {
  const url = URL.parse(request.url ?? "/", "http://shop");
  if (url === null) return { kind: "refuse", code: "malformed" };
  if (url.pathname !== paths.orderStream) return { kind: "refuse", code: "not_found" };
  // Browsers always send Origin. Clients that send none need the order's key.
  const hasOrigin = request.headers.origin !== undefined;
  const maySubscribe = hasOrigin
    ? request.headers.origin === publicUrl
    : Boolean(url.searchParams.get(streamParameters.key));
  if (!maySubscribe) return { kind: "refuse", code: "forbidden" };
  const query = subscribeQuerySchema.safeParse({
    [streamParameters.orderId]: url.searchParams.get(streamParameters.orderId) ?? "",
    [streamParameters.contractId]: url.searchParams.get(streamParameters.contractId) || undefined,
    [streamParameters.key]: url.searchParams.get(streamParameters.key) || undefined,
    [streamParameters.heartbeat]: url.searchParams.get(streamParameters.heartbeat) ?? undefined,
  });
  if (!query.success) {
    const errors = query.error.issues.map(({ path, message }) => ({
      path: path.join("."),
      message,
    }));
    return { kind: "refuse", code: "malformed", details: { errors } };
  }
  const retryAfter = await limit(address);
  if (retryAfter !== undefined)
    return { kind: "refuse", code: "too_many", details: { retryAfter } };
  const { order_id, contract_id: loanId, key, heartbeat } = query.data;
  const orderId = order_id.toLowerCase();
  const verdict = key === undefined ? undefined : await checkKey(orderId, key, address);
  if (verdict?.kind === "too-many") {
    return { kind: "refuse", code: "too_many", details: { retryAfter: verdict.retryAfter } };
  }
  const holdsKey = verdict?.kind === "right";
  if (!hasOrigin && !holdsKey) return { kind: "refuse", code: "forbidden" };
  return {
    kind: "accept",
    request: { orderId, loanId, holdsKey },
    heartbeat: heartbeat === heartbeatWanted,
  };
}
