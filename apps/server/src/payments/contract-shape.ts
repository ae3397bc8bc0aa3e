import { isOrderId } from "@keepsats/protocol";
import * as z from "zod/mini";

/** A text that can be stored and shown: control characters and halves of characters are in none. */
const plainText = (limit: number) =>
  z.string().check(z.regex(new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${limit}}$`, "u")));

/**
 * The order that a contract names. Anybody can write anything there: nothing is none, and what is no order's id is
 * replaced, so that no stranger's words go further and none makes a contract unreadable.
 */
const orderName = z.pipe(
  z.string(),
  z.transform((text) => {
    const name = text.trim();
    if (name === "") return null;
    return isOrderId(name.toLowerCase()) ? name : NO_ORDER_ID;
  }),
);
/** Stands for whatever a contract names that is no order's id. */
const NO_ORDER_ID = "no order id";

const contractSchema = z.object({
  id: plainText(100),
  status: plainText(100),
  loan_amount: z.union([z.number(), plainText(200)]),
  loan_asset: plainText(200),
  client_contract_id: z.optional(z.nullable(orderName)),
  updated_at: z.optional(
    z.pipe(
      z.unknown(),
      z.transform((time) => (typeof time === "string" ? Date.parse(time) || 0 : 0)),
    ),
  ),
});

/** A loan agreement as the provider tells it; `loan_amount` in dollars, `updated_at` in epoch milliseconds (0 where it is not told). */
export type ProviderContract = z.output<typeof contractSchema>;

/** An entry of the provider's list that is no contract as we know them. */
export interface NotUnderstood {
  /** Its id, where it has one that can be shown. */
  readonly id: string | undefined;
  /** What is wrong with it, such as `loan_amount is an object`. */
  readonly shape: string;
}

/** Reads a contract. @returns what is wrong with it where it is none */
export function parseContract(body: unknown): ProviderContract | { readonly shape: string } {
  const parsed = contractSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  if (kindOf(body) !== "an object") return { shape: `it is ${kindOf(body)}` };
  const fields = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
  const wrong = [...fields].map((field) => `${field} is ${kindOf(Reflect.get(Object(body), field))}`);
  return { shape: wrong.join(", ") };
}

/** The id of something that is no contract; `undefined` where it has none that can be shown. */
export function idOf(body: unknown): string | undefined {
  return plainText(100).safeParse(Reflect.get(Object(body), "id")).data;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "object":
      return "an object";
    case "string":
      return value === "" ? "empty" : "a text that is too long or cannot be shown";
    case "number":
    case "boolean":
      return `a ${typeof value}`;
    default:
      return "something else";
  }
}
