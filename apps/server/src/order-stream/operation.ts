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

const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  schema.check(z.meta({ description }));

/** The query parameters of a request to open a socket. */
export const followQuerySchema = z
  .object({
    [streamParameters.orderId]: described(idSchema, "The id of the order"),
    [streamParameters.contractId]: described(
      z.optional(idSchema),
      "The id of a loan for the order. It can be left out if `key` is given",
    ),
    [streamParameters.key]: described(
      z.optional(z.string()),
      "The key of the order, which `placeOrder` answers. It is a secret",
    ),
    [streamParameters.heartbeat]: z.optional(
      z.string().check(z.meta({ enum: [heartbeatWanted], description: "Asks for heartbeats" })),
    ),
  })
  .check(
    z.refine((query) => query.contract_id !== undefined || query.key !== undefined, {
      path: [streamParameters.contractId],
      message: "is missing, and so is key",
    }),
  );

const description = `The server sends JSON text messages; \`x-messages\` names their schema. At least one of \`contract_id\` and \`key\` is needed.

A client that sends no \`Origin\` header, such as a program outside a browser, needs the right \`key\`; otherwise it is answered with 403. A request with the \`Origin\` of another site is answered with 403, even with \`key\`.

With the order's \`key\` the whole order is sent at once and after every change, with or without a loan. With \`contract_id\` alone it is sent once the loan is bound to the order, without name, e-mail and address until that loan has paid it. A loan that is not for this order causes the error \`ContractNotFound\`, an unreachable loan provider \`ConnectionError\`; followers with the key are sent the order besides.

Of a page, a wrong \`key\` without \`contract_id\` is answered like an unknown order, with the error \`OrderNotFound\`; a wrong \`key\` with \`contract_id\` like none. Too many wrong keys from one address are answered with 429.`;

/**
 * The order stream in the API document. Its requests are handled by `upgrade.ts` and not by a
 * route.
 */
export const orderStreamOperation: PlacedOperation = {
  method: "GET",
  path: paths.orderStream,
  operation: {
    operationId: "followOrder",
    summary: "Follow an order (WebSocket)",
    description,
    tag: "shop",
    takes: z.object({ query: followQuerySchema }),
    answers: {},
    messages: { name: "OrderStreamMessage", schema: streamMessageSchema },
  } satisfies Operation,
};
