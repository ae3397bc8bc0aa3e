/** The most characters a name or an address field may have. */
export const MAX_FIELD_LENGTH = 200;
/** The most characters an e-mail address may have. */
export const MAX_EMAIL_LENGTH = 254;

const emailPattern = /^\S+@\S+\.\S+$/;
const controlCharacter = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** The five fields of an address, in the order in which a form asks for them. */
export const addressFields = ["street", "city", "state", "postal_code", "country"] as const;
export type AddressField = (typeof addressFields)[number];
export type Address = Record<AddressField, string>;

const addressLabels: Record<AddressField, string> = {
  street: "Street",
  city: "City",
  state: "State",
  postal_code: "Postal code",
  country: "Country",
};

/** What the checkout form holds; the names are those of the order on the wire. */
export interface CheckoutForm {
  readonly customer_name: string;
  readonly customer_email: string;
  readonly shipping_address: Address;
  readonly billing_address: Address;
}

/** One thing wrong with a form: `path` is dotted, such as `shipping_address.city`; `message` is for the shopper. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

function textError(label: string, value: string, limit: number): string | undefined {
  const text = value.trim();
  if (text === "") return `${label} is required`;
  if (text.length > limit) return `${label} is too long (${limit} characters at most)`;
  if (controlCharacter.test(text)) return `${label} has characters that cannot be used`;
  return undefined;
}

/** @returns what is wrong with a full name, or `undefined` */
export function nameError(value: string): string | undefined {
  return textError("Name", value, MAX_FIELD_LENGTH);
}

/** @returns what is wrong with an e-mail address, or `undefined` */
export function emailError(value: string): string | undefined {
  const error = textError("Email", value, MAX_EMAIL_LENGTH);
  if (error !== undefined) return error;
  return emailPattern.test(value.trim()) ? undefined : "Email is invalid";
}

/** @returns what is wrong with one field of an address, or `undefined` */
export function addressError(field: AddressField, value: string): string | undefined {
  return textError(addressLabels[field], value, MAX_FIELD_LENGTH);
}

function addressErrors(prefix: string, address: Address): FieldError[] {
  return addressFields.flatMap((field) => {
    const message = addressError(field, address[field]);
    return message === undefined ? [] : [{ path: `${prefix}.${field}`, message }];
  });
}

/**
 * Everything wrong with a checkout form, in the order in which its fields are shown.
 *
 * @param form the values as typed; blanks around them do not count
 */
export function checkoutErrors(form: CheckoutForm): FieldError[] {
  const name = nameError(form.customer_name);
  const email = emailError(form.customer_email);
  return [
    ...(name === undefined ? [] : [{ path: "customer_name", message: name }]),
    ...(email === undefined ? [] : [{ path: "customer_email", message: email }]),
    ...addressErrors("shipping_address", form.shipping_address),
    ...addressErrors("billing_address", form.billing_address),
  ];
}
