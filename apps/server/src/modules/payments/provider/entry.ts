import { isOrderId } from "@keepsats/protocol";
import * as z from "zod/mini";

/** A text of 1 to `limit` characters without control characters and lone surrogates. */
export const plainText = (limit: number) =>
  z.string().check(z.regex(new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${limit}}$`, "u")));

/** The order that an entry names. Anyone can write this text, so any text is accepted. */
export const namedOrderIdSchema = z.pipe(
  z.optional(z.nullable(z.string())),
  z.transform((text): { orderId: string | undefined; isMisnamed: boolean } => {
    const name = (text ?? "").trim().toLowerCase();
    const orderId = isOrderId(name) ? name : undefined;
    return { orderId, isMisnamed: name !== "" && orderId === undefined };
  }),
);

/** @returns the decoded entry, or `shape`: the fields and types that are wrong */
export function readEntry<Schema extends z.core.$ZodType>(
  schema: Schema,
  body: unknown,
): z.core.output<Schema> | { readonly shape: string } {
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return parsed.data;
  if (kindOf(body) !== "an object") return { shape: `it is ${kindOf(body)}` };
  const fields = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
  const wrong = [...fields].map(
    (field) => `${field} is ${kindOf(Reflect.get(Object(body), field))}`,
  );
  return { shape: wrong.join(", ") };
}

/** `undefined` if the entry has no id that can be shown. */
export function idOf(body: unknown): string | undefined {
  return plainText(100).safeParse(Reflect.get(Object(body), "id")).data;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string")
    return value === "" ? "empty" : "a text that is too long or cannot be shown";
  return `a ${typeof value}`;
}
