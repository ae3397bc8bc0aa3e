/**
 * The fields about the customer, in the order of the form. `checkout-form.ts` declares each of
 * them.
 */
export const customerFields = ["customer_name", "customer_email"] as const;
/** A field about the customer, named as in the API. */
export type CustomerField = (typeof customerFields)[number];

/** The fields of an address, in the order of the form. `checkout-form.ts` declares each of them. */
export const addressFields = ["street", "city", "state", "postal_code", "country"] as const;
export type AddressField = (typeof addressFields)[number];
/** An address of an order, as in the API and in the database. */
export type Address = Record<AddressField, string>;

/** Creates an object with one value per field: `make` is called for each of `fields`. */
export function forEachField<Field extends string, Value>(
  fields: readonly Field[],
  make: (field: Field) => Value,
): Record<Field, Value> {
  const made: Partial<Record<Field, Value>> = {};
  for (const field of fields) made[field] = make(field);
  if (!hasAll(made, fields)) throw new Error("a field has no value");
  return made;
}

function hasAll<Field extends string, Value>(
  made: Partial<Record<Field, Value>>,
  fields: readonly Field[],
): made is Record<Field, Value> {
  return fields.every((field) => field in made);
}

/** An address whose fields are all empty. */
export function blankAddress(): Address {
  return forEachField(addressFields, () => "");
}

/** The maximum length of an email address. */
export const MAX_EMAIL_LENGTH = 254;
