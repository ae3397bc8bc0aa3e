/** The fields about the customer, in the order of the form; declared in `checkout-form.ts`. */
export const customerFields = ["customer_name", "customer_email"] as const;
export type CustomerField = (typeof customerFields)[number];

/** The fields of an address, in the order of the form; declared in `checkout-form.ts`. */
export const addressFields = ["street", "city", "state", "postal_code", "country"] as const;
export type AddressField = (typeof addressFields)[number];
export type Address = Record<AddressField, string>;

/** Creates an object with the value that `make` returns for each field. */
export function mapFields<Field extends string, Value>(
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

/** An address as on an envelope. */
export function addressLines({ street, city, state, postal_code, country }: Address): string[] {
  return [street, `${city}, ${state} ${postal_code}`, country];
}

export function blankAddress(): Address {
  return mapFields(addressFields, () => "");
}

/** The short form of an order's id for screens and logs: its first 8 characters. */
export function shortOrderId(id: string): string {
  return id.slice(0, 8);
}
