import type { Address } from "@keepsats/domain";

interface ShippedOrder {
  readonly customer_name: string;
  readonly shipping_address: Address;
}

/** The name and the shipping address of an order as on an envelope, one line each. */
export function addressText({ customer_name, shipping_address }: ShippedOrder): string {
  const { street, city, state, postal_code, country } = shipping_address;
  return [customer_name, street, `${city}, ${state} ${postal_code}`, country].join("\n");
}
