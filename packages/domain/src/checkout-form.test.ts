import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Address,
  type CheckoutForm,
  checkoutErrors,
  customerError,
  emailError,
} from "./checkout-form.ts";

const nameError = (value: string) => customerError("customer_name", value);

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

test("a form that is filled in has no errors", () => {
  expect(checkoutErrors(form)).toEqual([]);
});

test("a blank form has every message of the specification, in the order of its fields", () => {
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
  expect(all[2]?.path).toBe("shipping_address.street");
  expect(all[7]?.path).toBe("billing_address.street");
});

test.each(["a@b.c", " a@b.c ", "a+b@c-d.e.f", "ü@ü.ü"])("%j is an e-mail address", (email) => {
  expect(emailError(email)).toBeUndefined();
});

test.each(["a", "a@b", "@b.c", "a@.", "a b@c.d", "a@b c.d"])("%j is none", (email) => {
  expect(emailError(email)).toBe("Email is invalid");
});

test("no name of control characters alone, or with one in it, is taken", () => {
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

test("an address check takes no longer on long input", () => {
  expect(emailError(`${"@".repeat(200_000)}`)).toBe("Email is too long (254 characters at most)");
});
