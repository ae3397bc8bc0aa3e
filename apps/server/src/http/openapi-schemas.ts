import {
  addressFields,
  dollarsFromCents,
  MAX_EMAIL_LENGTH,
  MAX_FIELD_LENGTH,
  MAX_PRICE,
  orderStatuses,
} from "@keepsats/domain";
import { contractMeanings, streamErrorKinds } from "@keepsats/protocol";
import * as z from "zod/mini";

type Schema = z.core.$ZodType;

/** What a field is besides its type, by its name and those of the fields that it is in, such as `events.by`. */
type Facts = Readonly<Record<string, object>>;

/** Rules that are functions leave nothing in a JSON Schema: what they demand is said here. */
const text = (maxLength: number) => ({ minLength: 1, maxLength });
const address = (name: string) =>
  addressFields.map((field) => [`${name}.${field}`, text(MAX_FIELD_LENGTH)] as const);
const price = { exclusiveMinimum: 0, maximum: dollarsFromCents(MAX_PRICE) };

/** Of the bodies of requests. */
export const bodyFacts: Facts = {
  customer_name: text(MAX_FIELD_LENGTH),
  customer_email: { ...text(MAX_EMAIL_LENGTH), pattern: "^\\S+@\\S+\\.\\S+$" },
  ...Object.fromEntries([...address("shipping_address"), ...address("billing_address")]),
  price,
  "items.price": price,
};

/** Of answers: words that are read as plain text, so that an older reader bears newer ones. */
export const answerFacts: Facts = {
  status: { enum: orderStatuses },
  created_at: { description: "Seconds since 1970" },
  "orders.created_at": { description: "Seconds since 1970" },
  "events.at": { description: "Seconds since 1970" },
  "events.by": { enum: ["shopper", "provider", "merchant"] },
  "contracts.bound_at": { description: "Seconds since 1970" },
  "contracts.meaning": { enum: contractMeanings },
  "mismatches.seen_at": { description: "Seconds since 1970" },
};

/** Of the messages of the order stream. */
export const messageFacts: Facts = {
  "data.status": { enum: orderStatuses },
  "data.created_at": { description: "Seconds since 1970" },
  "data.kind": { enum: streamErrorKinds },
};

/** A schema as JSON Schema, for what is sent. */
export function jsonSchema(schema: Schema, facts: Facts = {}) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ jsonSchema, path }) {
      // Whole numbers are safe ones anyway.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // What may be null as well is told of its other kind alone.
      if (jsonSchema.anyOf === undefined && jsonSchema.type !== "null")
        Object.assign(jsonSchema, facts[placeOf(path)]);
    },
  });
  return rest;
}

/** The names of the fields on a path through a JSON Schema. */
function placeOf(path: readonly (string | number)[]): string {
  const names: (string | number)[] = [];
  for (let index = 0; index < path.length; index += 1) {
    if (path[index] !== "properties") continue;
    index += 1;
    names.push(path[index] ?? "");
  }
  return names.join(".");
}
