import fc from "fast-check";
import { expect, test } from "vitest";
import { type CheckoutForm, checkoutErrors, checkoutFields, fieldError } from "./checkout-form.ts";
import type { Address, AddressField } from "./order-fields.ts";

const { customer_name, customer_email } = checkoutFields.customer;
const nameError = (value: string) => fieldError(customer_name, value);
const emailError = (value: string) => fieldError(customer_email, value);
const addressError = (field: AddressField, value: string) =>
  fieldError(checkoutFields.address[field], value);

const address: Address = {
  street: "1 Road",
  city: "Town",
  state: "State",
  postal_code: "1",
  country: "Land",
};
const blank: Address = { street: "", city: " ", state: "\t", postal_code: "", country: "" };
const form: CheckoutForm = {
  customer_name: "Ada",
  customer_email: "a@b.c",
  shipping_address: address,
  billing_address: address,
};

test("a completed form has no errors", () => {
  expect(checkoutErrors(form)).toEqual([]);
});

test("an empty form has the specified message for each field, in the order of the form", () => {
  const all = checkoutErrors({
    customer_name: "",
    customer_email: "",
    shipping_address: blank,
    billing_address: blank,
  });
  const five = [
    "Street is required",
    "City is required",
    "State is required",
    "Postal code is required",
    "Country is required",
  ];
  expect(all.map(({ message }) => message)).toEqual([
    "Name is required",
    "Email is required",
    ...five,
    ...five,
  ]);
  const streets = all.filter(({ message }) => message === "Street is required");
  expect(streets.map(({ path }) => path)).toEqual([
    "shipping_address.street",
    "billing_address.street",
  ]);
});

test.each(["a@b.c", " a@b.c ", "a+b@c-d.e.f", "ü@ü.ü"])("%j is a valid email address", (email) => {
  expect(emailError(email)).toBeUndefined();
});

test.each(["a", "a@b", "@b.c", "a@.", "a b@c.d", "a@b c.d"])(
  "%j is not a valid email address",
  (email) => {
    expect(emailError(email)).toBe("Email is invalid");
  },
);

test("a name with a control character is invalid", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom("\u0000", "\n", "\u001b", "\u007f", "\u2028"),
      fc.string(),
      (before, control, after) => {
        expect(nameError(`x${before}${control}${after}x`)).toBeDefined();
      },
    ),
  );
});

test("the time to validate an email address does not grow with its length", () => {
  expect(emailError(`${"@".repeat(200_000)}`)).toBe("Email is too long (254 characters at most)");
});

test("an email address ends with its domain", () => {
  expect(emailError("a@b.c d")).toBe("Email is invalid");
});

test("a field may have 200 characters, and an email address 254", () => {
  expect(nameError(` ${"x".repeat(200)} `)).toBeUndefined();
  expect(nameError("x".repeat(201))).toBe("Name is too long (200 characters at most)");
  expect(addressError("city", "x".repeat(200))).toBeUndefined();
  expect(addressError("city", "x".repeat(201))).toBe("City is too long (200 characters at most)");
  expect(emailError(`${"x".repeat(250)}@b.c`)).toBeUndefined();
  expect(emailError(`${"x".repeat(251)}@b.c`)).toBe("Email is too long (254 characters at most)");
});

test.each(["\n", "\u2028", "\u2029", "\ud800"])(
  "a field with the character %j is invalid",
  (character) => {
    expect(addressError("street", `x${character}x`)).toBe(
      "Street has characters that cannot be used",
    );
  },
);

test.each(["\u200b", "\u202e\u202c", " \u2066 \u2069", "\ufeff"])(
  "a name of only %j is missing",
  (name) => {
    expect(nameError(name)).toBe("Name is required");
  },
);

test("invisible characters do not count, and do not make a field invalid", () => {
  expect(nameError(`\u200b${"x".repeat(200)}\u200b`)).toBeUndefined();
  expect(emailError("\u202aada@mail.example\u202c")).toBeUndefined();
});

test("the fields have the specified labels, and the tokens by which browsers fill them in", () => {
  const fields = { ...checkoutFields.customer, ...checkoutFields.address };
  expect(
    Object.values(fields).map(({ label, autoComplete }) => `${label}: ${autoComplete}`),
  ).toEqual([
    "Full Name: name",
    "Email: email",
    "Street: address-line1",
    "City: address-level2",
    "State: address-level1",
    "Postal Code: postal-code",
    "Country: country-name",
  ]);
  expect(fields.customer_email.type).toBe("email");
  expect(Object.values(fields).filter(({ wide }) => wide)).toEqual([fields.street]);
});
