import { isEmailAddress, MAX_EMAIL_LENGTH } from "./contact.ts";
import {
  type Address,
  type AddressField,
  addressFields,
  type CustomerField,
  customerFields,
} from "./order-fields.ts";
import { fieldText } from "./text.ts";

/** The maximum length of a name or an address field. */
export const MAX_FIELD_LENGTH = 200;

const emailPattern = /^\S+@\S+\.\S+$/;
const controlCharacter = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** The declaration of one text field of the checkout. */
export interface FieldDeclaration {
  /** The label above the field, such as `Full Name`. */
  readonly label: string;
  /** The field's name in messages, such as `Name` in "Name is required". */
  readonly subject: string;
  /** The HTML `autocomplete` token, without `shipping` or `billing`. */
  readonly autoComplete: string;
  /** In characters of {@link fieldText}. */
  readonly maxLength: number;
  /** The HTML input type; `text` by default. */
  readonly type?: "email" | "tel";
  /** A pattern that {@link fieldText} must match; otherwise the message is `… is invalid`. */
  readonly pattern?: RegExp;
  /** An additional rule for {@link fieldText}, with the same message. */
  readonly isValid?: (text: string) => boolean;
  /** The field takes a whole row of the form. */
  readonly wide?: boolean;
}

/** A field with its label as its subject, and the usual length. */
function field(label: string, autoComplete: string, more: Partial<FieldDeclaration> = {}) {
  return { label, subject: label, autoComplete, maxLength: MAX_FIELD_LENGTH, ...more };
}

const customer: Record<CustomerField, FieldDeclaration> = {
  customer_name: field("Full Name", "name", { subject: "Name" }),
  customer_email: field("Email", "email", {
    maxLength: MAX_EMAIL_LENGTH,
    type: "email",
    pattern: emailPattern,
    isValid: isEmailAddress,
  }),
};

const address: Record<AddressField, FieldDeclaration> = {
  street: field("Street", "address-line1", { wide: true }),
  city: field("City", "address-level2"),
  state: field("State", "address-level1"),
  postal_code: field("Postal Code", "postal-code", { subject: "Postal code" }),
  country: field("Country", "country-name"),
};

/**
 * The declarations of all text fields. To add a field, name it in `order-fields.ts` and declare it
 * above.
 */
export const checkoutFields = { customer, address };

/** The values of the checkout form; its field names are those of the API. */
export type CheckoutForm = Readonly<Record<CustomerField, string>> & {
  readonly shipping_address: Address;
  readonly billing_address: Address;
};

export interface FieldError {
  /** Dotted, such as `shipping_address.city`. */
  readonly path: string;
  /** For the customer. */
  readonly message: string;
}

/** @returns the message for the customer; `undefined` for a valid value */
export function fieldError(
  { subject, maxLength, pattern, isValid }: FieldDeclaration,
  value: string,
): string | undefined {
  const text = fieldText(value);
  if (text === "") return `${subject} is required`;
  if (text.length > maxLength) return `${subject} is too long (${maxLength} characters at most)`;
  if (controlCharacter.test(text)) return `${subject} has characters that cannot be used`;
  return (pattern?.test(text) ?? true) && (isValid?.(text) ?? true)
    ? undefined
    : `${subject} is invalid`;
}

function errorsOf<Field extends string>(
  declarations: Readonly<Record<Field, FieldDeclaration>>,
  fields: readonly Field[],
  typed: Readonly<Record<Field, string>>,
  prefix = "",
): FieldError[] {
  return fields.flatMap((field) => {
    const message = fieldError(declarations[field], typed[field]);
    return message === undefined ? [] : [{ path: prefix + field, message }];
  });
}

/** The errors of one address of the form. */
export function addressErrors(kind: "shipping" | "billing", typed: Address): FieldError[] {
  return errorsOf(address, addressFields, typed, `${kind}_address.`);
}

/**
 * Validates the checkout form.
 *
 * @param form the values as typed; characters that {@link fieldText} removes are ignored
 * @returns the errors, in the order of the form; empty if it is valid
 */
export function checkoutErrors(form: CheckoutForm): FieldError[] {
  return [
    ...errorsOf(customer, customerFields, form),
    ...addressErrors("shipping", form.shipping_address),
    ...addressErrors("billing", form.billing_address),
  ];
}
