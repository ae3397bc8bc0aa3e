import { expect, test } from "vitest";
import { addressText } from "./address-text.ts";

test("an address is copied as it stands on an envelope", () => {
  const shipping_address = {
    street: "12 St James's Square",
    city: "London",
    state: "Greater London",
    postal_code: "SW1Y 4LB",
    country: "United Kingdom",
  };
  expect(addressText({ customer_name: "Ada Lovelace", shipping_address })).toBe(
    "Ada Lovelace\n12 St James's Square\nLondon, Greater London SW1Y 4LB\nUnited Kingdom",
  );
});
