import { MAX_LINES, returnStates, staffReturnStates } from "@keepsats/domain";
import * as z from "zod/mini";
import { openEnum, secondsAsMilliseconds } from "./codecs.ts";
import {
  eachItemOnce,
  orderIdSchema,
  orderNumberSchema,
  piecesSchema,
  requestedPiecesSchema,
} from "./orders.ts";
import { multiLine } from "./texts.ts";

/** The maximum lengths of the texts of a return. */
export const MAX_RETURN_REASON = 500;
export const MAX_RETURN_MESSAGE = 2_000;

const stateTextSchema = openEnum(returnStates);

const newLinesSchema = z
  .array(requestedPiecesSchema)
  .check(z.minLength(1, "must have a line"), z.maxLength(MAX_LINES), eachItemOnce);

/** The body of `POST /api/orders/{id}/returns`. */
export const returnRequestSchema = z.strictObject({
  lines: newLinesSchema,
  /** In the words of the customer, or of staff. */
  reason: multiLine(MAX_RETURN_REASON),
});
export type ReturnRequest = z.output<typeof returnRequestSchema>;

/** A text for the customer, on the order's page and in the email. */
const message = z.optional(multiLine(MAX_RETURN_MESSAGE));

/** The body of `POST orders/{id}/returns` of staff: the return is accepted. */
export const newReturnSchema = z.extend(returnRequestSchema, { message });
export type NewReturn = z.output<typeof newReturnSchema>;

/** The body of `POST orders/{id}/returns/{returnId}/transitions`. */
export const returnMoveSchema = z
  .strictObject({
    to: z.enum(staffReturnStates),
    /** If the return has another state, nothing is changed. */
    expected_state: z.optional(stateTextSchema),
    message,
    /** The pieces that return to the stock. Only for `completed`. */
    restock: z.optional(newLinesSchema),
  })
  .check(
    z.refine(({ to, restock }) => to === "completed" || restock === undefined, {
      path: ["restock"],
      error: "is only for a return that becomes completed",
    }),
  );
export type ReturnMove = z.output<typeof returnMoveSchema>;

/** The answer to staff who opened or moved a return. */
export const returnAnswerSchema = z.object({ id: z.string(), state: stateTextSchema });

/** A return as staff see it. */
export const orderReturnSchema = z.object({
  id: z.string(),
  state: stateTextSchema,
  lines: z.array(piecesSchema),
  /** `null` once the order is erased. */
  reason: z.nullable(z.string()),
  /** The text for the customer about the state. */
  message: z.nullable(z.string()),
  /** The author: the customer or staff. */
  by: openEnum(["customer", "staff"]),
  /** The name of the member of staff or of the API token. */
  by_name: z.nullable(z.string()),
  /** Set once it is refunded. */
  refund_id: z.nullable(z.string()),
  opened_at: secondsAsMilliseconds,
  changed_at: secondsAsMilliseconds,
});
export type OrderReturn = z.output<typeof orderReturnSchema>;

/** The maximum number of returns in the list of open returns. */
export const MAX_OPEN_RETURNS = 200;

/** The open returns of all orders, oldest first. */
export const openReturnsSchema = z.object({
  returns: z.array(
    z.object({
      id: z.string(),
      state: stateTextSchema,
      order_id: orderIdSchema,
      order_number: orderNumberSchema,
      /** Empty once the order is erased. */
      customer_name: z.string(),
      /** The number of pieces. */
      item_count: z.int(),
      opened_at: secondsAsMilliseconds,
      changed_at: secondsAsMilliseconds,
    }),
  ),
});
export type OpenReturns = z.output<typeof openReturnsSchema>;
