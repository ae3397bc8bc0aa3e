import type { Address } from "@keepsats/domain";

/** The JSON body of `POST /api/orders`. */
export interface OrderBody {
  items: { item_id: string; quantity: number }[];
  customer_name: string;
  customer_email: string;
  shipping_address: Address;
  billing_address: Address;
}

/** A valid address. */
export function anAddress(changes: Partial<Address> = {}): Address {
  return {
    street: "12 St James's Square",
    city: "London",
    state: "Greater London",
    postal_code: "SW1Y 4JH",
    country: "United Kingdom",
    ...changes,
  };
}

/** An order for one moka pot ($45.00 in the sample catalogue). */
export function anOrder(changes: Partial<OrderBody> = {}): OrderBody {
  return {
    items: [{ item_id: "moka-pot", quantity: 1 }],
    customer_name: "Ada Lovelace",
    customer_email: "ada@example.org",
    shipping_address: anAddress(),
    billing_address: anAddress(),
    ...changes,
  };
}
