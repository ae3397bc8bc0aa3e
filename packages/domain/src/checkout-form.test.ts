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
  expect(all[2]?.path).toBe("shipping_address.street");
  expect(all[7]?.path).toBe("billing_address.street");
});

test.each(["a@b.c", " a@b.c ", "a+b@c-d.e.f", "ü@ü.ü"])("%j is a valid e-mail address", (email) => {
  expect(emailError(email)).toBeUndefined();
});

test.each(["a", "a@b", "@b.c", "a@.", "a b@c.d", "a@b c.d"])("%j is not a valid e-mail address", (email) => {
  expect(emailError(email)).toBe("Email is invalid");
});

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

test("the time to validate an e-mail address does not grow with its length", () => {
  expect(emailError(`${"@".repeat(200_000)}`)).toBe("Email is too long (254 characters at most)");
});
