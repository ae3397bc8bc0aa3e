import { randomUUID } from "node:crypto";
import type { Address } from "@keepsats/domain";
import type { Item } from "../../apps/server/src/modules/catalogue/item.ts";
import type { NewOrder, Order } from "../../apps/server/src/modules/orders/order.ts";
import type { Loan } from "../../apps/server/src/modules/payments/loans/loan-provider.ts";
import type { StoredLoan } from "../../apps/server/src/modules/payments/rules/index.ts";
import type { EmitEvents } from "../../apps/server/src/platform/outbox/emit-events.ts";

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

/** A stored order: one moka pot for 45 dollars. */
export function aStoredOrder(changes: Partial<NewOrder> = {}): NewOrder {
  return {
    id: randomUUID(),
    status: "Pending",
    version: 1,
    payment_attempt_failed: false,
    customer_name: "Ada Lovelace",
    customer_email: "ada@example.org",
    shipping_address: anAddress(),
    billing_address: anAddress({ city: "Ockham" }),
    total_price: 4_500,
    created_at: 1_000,
    carrier: null,
    tracking_number: null,
    tracking_url: null,
    merchant_message: null,
    erased_at: null,
    client_hash: null,
    items: [{ id: "moka-pot", name: "Moka Pot", price: 4_500, quantity: 1 }],
    ...changes,
  };
}

/** An order as it is read: {@link aStoredOrder} with its number. */
export function aNumberedOrder(changes: Partial<NewOrder> = {}): Order {
  return { ...aStoredOrder(changes), number: "K-10023" };
}

/** A stored item: a moka pot for 45 dollars. */
export function aStoredItem(changes: Partial<Item> = {}): Item {
  return {
    id: randomUUID(),
    name: "Moka Pot",
    description: "For the stove.",
    price: 4_500,
    image_url: "/pictures/moka-pot.svg",
    image_urls: [],
    stock: null,
    vat_rate: null,
    hidden: false,
    category: null,
    variant_of: null,
    variant_name: null,
    ...changes,
  };
}

/**
 * A loan of 45 dollars as a provider's adapter returns it. By default it names no order and is in
 * progress.
 */
export function aLoan({ state = "active", ...changes }: Partial<Loan> = {}): Loan {
  const cents = "cents" in changes ? changes.cents : 4_500;
  return {
    id: "loan",
    orderId: undefined,
    cents,
    exactCents: cents,
    amountText: cents === undefined ? "a lot" : (cents / 100).toFixed(2),
    otherAsset: undefined,
    state,
    isDisputed: false,
    wasExtended: false,
    providerStatus: `reported as ${state}`,
    updatedAt: 0,
    ...changes,
  };
}

/** A loan that was paid out for an order. */
export function aPaidLoan(orderId: string, changes: Partial<Loan> = {}): Loan {
  return aLoan({
    id: randomUUID(),
    orderId,
    state: "paid-out",
    providerStatus: "PrincipalGiven",
    ...changes,
  });
}

/** A stored loan that has paid its order. */
export function aStoredLoan(changes: Partial<StoredLoan> = {}): StoredLoan {
  const { orderId } = { orderId: randomUUID(), ...changes };
  return {
    id: randomUUID(),
    orderId,
    namedOrderId: orderId,
    providerStatus: "PrincipalGiven",
    state: "paid-out",
    wasActive: false,
    wasExtended: false,
    cents: 4_500,
    currency: "USD",
    amountText: undefined,
    refusal: undefined,
    presumedExtensionAt: undefined,
    paidOutAt: 1,
    boundAt: 1,
    updatedAt: 1,
    ...changes,
  };
}

/** Emits nothing: for tests that are not about events. */
export const noEvents: EmitEvents = async () => {};
