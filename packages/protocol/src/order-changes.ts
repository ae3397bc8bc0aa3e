import { isWebAddress, mapFields, orderStatuses } from "@keepsats/domain";
import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";
import { loanStateTextSchema } from "./loans.ts";
import { expectedAddressSchema, statusTextSchema } from "./orders.ts";
import { addressSchema } from "./place-order.ts";
import { expectedText, multiLine, singleLine } from "./texts.ts";

export const MAX_NOTE_LENGTH = 5_000;
export const MAX_MOVE_REASON = 500;
export const MAX_MOVE_MESSAGE = 2_000;
export const MAX_TRACKING_URL = 2_000;
export const MAX_SHIPMENT_LENGTH = 100;

const shipment = {
  carrier: singleLine(MAX_SHIPMENT_LENGTH),
  tracking_number: singleLine(MAX_SHIPMENT_LENGTH),
  /** The carrier's tracking page. */
  tracking_url: z
    .string()
    .check(
      z.maxLength(MAX_TRACKING_URL, `must have at most ${MAX_TRACKING_URL} characters`),
      z.refine(isWebAddress, { error: "must be an address that starts with https:// or http://" }),
      z.meta({ format: "uri" }),
    ),
};
const shipmentFields = ["carrier", "tracking_number", "tracking_url"] as const;

/** The body of `POST orders/{id}/transitions`. */
export const orderMoveSchema = z
  .strictObject({
    to: z.enum(orderStatuses),
    /** If the order has another status, nothing is changed. */
    expected_status: z.optional(statusTextSchema),
    /** Shown to staff only. */
    reason: z.optional(singleLine(MAX_MOVE_REASON)),
    /** A message to the customer. Only for `Cancelled`. */
    message: z.optional(multiLine(MAX_MOVE_MESSAGE)),
    /** The shipment. Only for `Shipped`. */
    ...mapFields(shipmentFields, (field) => z.optional(shipment[field])),
    /**
     * Ship although the order has an open payment issue `disputed` or `changed-after-payout`. Only
     * for `Shipped`. Without it, such an order is answered with 409 open_issue.
     */
    despite_issue: z.optional(z.boolean()),
  })
  .check(
    onlyFor("Cancelled", ["message"]),
    onlyFor("Shipped", [...shipmentFields, "despite_issue"]),
  );
export type OrderMove = z.output<typeof orderMoveSchema>;

/** Refuses fields that only a change to one status can have. */
function onlyFor<Field extends string>(status: string, fields: readonly Field[]) {
  return z.check<
    { readonly to: string } & { readonly [name in Field]?: string | boolean | undefined }
  >((context) => {
    if (context.value.to === status) return;
    for (const field of fields) {
      if (context.value[field] === undefined) continue;
      const message = `is only for an order that becomes ${status}`;
      const input = context.value[field];
      context.issues.push({ code: "custom", path: [field], message, input });
    }
  });
}

/** `changed` is false if the order already had the status. */
export const orderMoveAnswerSchema = z.object({
  id: z.string(),
  status: statusTextSchema,
  changed: z.boolean(),
  /**
   * With `Cancelled`: the loans that may still be paid out, whose money must then be refunded. The
   * state of a loan is `unknown` if the provider could not be reached.
   */
  open_loans: z.optional(
    z.array(
      z.object({
        id: z.string(),
        provider_status: z.nullable(z.string()),
        state: loanStateTextSchema,
      }),
    ),
  ),
});
export type OrderMoveAnswer = z.output<typeof orderMoveAnswerSchema>;

/** The body of `POST orders/{id}/notes`. */
export const noteRequestSchema = z.strictObject({ text: multiLine(MAX_NOTE_LENGTH) });
export type NoteRequest = z.output<typeof noteRequestSchema>;
export const noteAnswerSchema = z.object({ id: z.string() });

/** The answer of `POST order-keys`. */
export const orderKeysAnswerSchema = z.object({ replaced_at: secondsAsMilliseconds });

/** The answer of `POST orders/{id}/erasure`. */
export const erasureAnswerSchema = z.object({ id: z.string(), erased_at: secondsAsMilliseconds });

/**
 * The body of `PATCH /api/admin/orders/{id}`: the shipping address of an order that has not shipped,
 * or the shipment of one that has, where `null` removes a field. `expected` has fields as they were
 * last read: if a field to be corrected has changed since, nothing is changed.
 */
export const orderPatchSchema = z
  .strictObject({
    shipping_address: z.optional(addressSchema),
    ...mapFields(shipmentFields, (field) => z.optional(z.nullable(shipment[field]))),
    expected: z.optional(
      z.strictObject({
        shipping_address: z.optional(expectedAddressSchema),
        ...mapFields(shipmentFields, () => z.optional(z.nullable(expectedText))),
      }),
    ),
  })
  .check(
    z.refine(({ expected: _, ...patch }) => Object.keys(patch).length > 0, {
      error: "names nothing to correct",
    }),
    z.refine(
      ({ shipping_address, expected: _, ...rest }) =>
        shipping_address === undefined || Object.keys(rest).length === 0,
      {
        error:
          "is corrected before an order ships, and carrier and tracking afterwards: send one of the two",
        path: ["shipping_address"],
      },
    ),
  );
export type OrderPatch = z.output<typeof orderPatchSchema>;
/** `changed` is false if the order already had this address or shipment. */
export const orderPatchAnswerSchema = z.object({ id: z.string(), changed: z.boolean() });

/** The body of `PATCH /api/orders/:id`: a new shipping address, by the rules of the checkout. */
export const correctOrderSchema = z.object({
  shipping_address: addressSchema,
  /** The address as last read. If it has changed since, nothing is changed. */
  expected: z.optional(z.object({ shipping_address: expectedAddressSchema })),
});
