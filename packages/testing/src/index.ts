import { type Address, FIRST_STATUS } from "@keepsats/domain";

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

/** An order as the server has it once it is stored: cents and milliseconds. It is for nothing and was just placed. */
export function aStoredOrder(id: string) {
  const nowhere = { street: "", city: "", state: "", postal_code: "", country: "" };
  return {
    id,
    status: FIRST_STATUS,
    version: 1,
    items: [],
    total_price: 100,
    created_at: 1_000,
    customer_name: "Ada Lovelace",
    customer_email: "",
    shipping_address: nowhere,
    billing_address: nowhere,
    payment_attempt_over: false,
  };
}
