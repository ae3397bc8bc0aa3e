import * as z from "zod/mini";

const messageSchema = z.discriminatedUnion("status", [
  z.object({ status: z.literal("success"), contractId: z.string().check(z.minLength(1), z.maxLength(100)) }),
  z.object({ status: z.literal("cancelled"), reason: z.optional(z.string()) }),
  z.object({
    status: z.literal("error"),
    code: z.optional(z.string()),
    message: z.optional(z.string()),
  }),
  z.object({ status: z.literal("done") }),
]);

/** What the provider's pop-up may say. */
export type WidgetMessage = z.output<typeof messageSchema>;
/** What a payment came to, as far as the widget knows. */
export type WidgetResult = Exclude<WidgetMessage, { status: "done" }>;

/** Reads a window message; `undefined` when it is not one of the widget's. */
export function parseWidgetMessage(data: unknown): WidgetMessage | undefined {
  return messageSchema.safeParse(data).data;
}
