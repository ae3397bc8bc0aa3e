import { type Cents, decimalFromCents } from "@keepsats/domain";
import { MAX_STREAM_ID_LENGTH } from "@keepsats/protocol";
import * as z from "zod/mini";

interface WidgetInputs {
  readonly amount: Cents;
  /** The shop's account at the provider. */
  readonly lenderId: string;
  readonly orderId: string;
  readonly inviteCode: string;
}

/** The URL of the pop-up. `origin`: of the provider, such as `https://pay.example`. */
export function widgetUrl(inputs: WidgetInputs, origin: string): URL {
  const url = new URL("/", origin);
  url.searchParams.set("amount", decimalFromCents(inputs.amount));
  url.searchParams.set("lender_id", inputs.lenderId);
  url.searchParams.set("order_id", inputs.orderId);
  url.searchParams.set("code", inputs.inviteCode);
  return url;
}

/**
 * The messages of the provider's pop-up. Other fields are ignored; fields that are only logged may
 * have any type. It is not a discriminated union, whose code the shop page would have to load.
 */
const messageSchema = z.union([
  z.object({
    status: z.literal("success"),
    // The order stream does not accept longer ids.
    contractId: z.string().check(z.minLength(1), z.maxLength(MAX_STREAM_ID_LENGTH)),
  }),
  z.object({ status: z.literal("cancelled"), reason: z.optional(z.unknown()) }),
  z.object({
    status: z.literal("error"),
    code: z.optional(z.unknown()),
    message: z.optional(z.unknown()),
    error: z.optional(z.unknown()),
  }),
  z.object({ status: z.literal("done") }),
]);

export type WidgetMessage = z.output<typeof messageSchema>;

/** Logs a cancellation or an error, which is not shown to the customer. */
export function logMessage({ status, ...details }: WidgetMessage): void {
  if (status === "cancelled") console.info("Payment cancelled", details);
  if (status === "error") console.warn("Payment error", details);
}

/** @returns `undefined` if the data is not a message of the widget */
export function parseWidgetMessage(data: unknown): WidgetMessage | undefined {
  return messageSchema.safeParse(data).data;
}
