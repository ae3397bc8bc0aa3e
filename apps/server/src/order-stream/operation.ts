import {
  heartbeatWanted,
  MAX_STREAM_ID_LENGTH,
  paths,
  streamMessageSchema,
  streamParameters,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Operation, PlacedOperation } from "../http/operation.ts";

const idSchema = z
  .string()
  .check(z.minLength(1, "is missing"), z.maxLength(MAX_STREAM_ID_LENGTH, "is too long"));

/** The query parameters of a request to open a socket. */
export const followQuerySchema = z.object({
  [streamParameters.orderId]: idSchema,
  [streamParameters.contractId]: idSchema,
  [streamParameters.key]: z.optional(z.string()),
  [streamParameters.heartbeat]: z.optional(
    z.string().check(z.meta({ enum: [heartbeatWanted], description: "Asks for heartbeats" })),
  ),
});

/** The order stream in the API document. Its requests are handled by `upgrade.ts` and not by a route. */
export const orderStreamOperation: PlacedOperation = {
  method: "GET",
  path: paths.orderStream,
  operation: {
    operationId: "followOrder",
    summary: "Follow an order (WebSocket)",
    description: "The server sends JSON text messages; x-messages names their schema.",
    tag: "shop",
    takes: z.object({ query: followQuerySchema }),
    answers: {},
    messages: { name: "OrderStreamMessage", schema: streamMessageSchema },
  } satisfies Operation,
};
