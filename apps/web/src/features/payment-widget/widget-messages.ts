import { MAX_STREAM_ID_LENGTH } from "@keepsats/protocol";
import * as z from "zod/mini";

/** What the provider's pop-up may say. Fields beside these are ignored, and whatever is only logged may have any type. */
const messageSchema = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("success"),
    // The order page names the contract to the order stream, which takes no longer ids.
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
type Status = WidgetMessage["status"];

/**
 * What each message does to the payment. `paid`: it has succeeded. `ended`: this attempt is over. `close`: the shop closes
 * the window. `none`: the payment goes on, and the message is only logged. A new message of the provider's is a shape
 * above, a row here, and a case in {@link logMessage}.
 */
export const effects: Readonly<Record<Status, "paid" | "ended" | "close" | "none">> = {
  success: "paid",
  cancelled: "ended",
  error: "ended",
  done: "close",
};

/** Logs what the shopper is not told. */
export function logMessage(message: WidgetMessage): void {
  switch (message.status) {
    case "success":
    case "done":
      return;
    case "cancelled":
      return console.info("Payment cancelled", { reason: message.reason });
    case "error": {
      const { status: _, ...details } = message;
      return console.warn("Payment error", details);
    }
  }
}

/** Reads a window message; `undefined` when it is not one of the widget's. */
export function parseWidgetMessage(data: unknown): WidgetMessage | undefined {
  return messageSchema.safeParse(data).data;
}
