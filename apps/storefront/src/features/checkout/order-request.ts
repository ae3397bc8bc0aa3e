import {
  blankAddress,
  type Cart,
  type Cents,
  type CheckoutForm,
  customerFields,
  decimalFromCents,
  mapFields,
} from "@keepsats/domain";
import {
  expectedPricesHeader,
  expectedTotalHeader,
  idempotencyHeader,
  orderKeyHeader,
  replacedOrderHeader,
} from "@keepsats/protocol";
import type { ReplaceableOrder } from "./open-purchase.ts";

export interface Draft extends CheckoutForm {
  /** The billing address is the shipping address, and `billing_address` is ignored. */
  readonly sameBilling: boolean;
}

export function blankDraft(): Draft {
  return {
    ...mapFields(customerFields, () => ""),
    shipping_address: blankAddress(),
    billing_address: blankAddress(),
    sameBilling: true,
  };
}

export interface WantedOrder {
  readonly draft: Draft;
  readonly cart: Cart;
  /** The total that the customer saw. */
  readonly total: Cents;
  /** An unpaid order to cancel in exchange. */
  readonly replaced?: Pick<ReplaceableOrder, "id" | "key"> | undefined;
}

/** A request to place an order: the JSON body, its idempotency key and all headers. */
export interface OrderRequest {
  readonly body: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Builds the request for an order. A body that equals the last one keeps its idempotency key, so
 * that the server returns the order that the last request may have placed, such as when its answer
 * was lost or the customer cancelled it. Another body gets a new key. Prices are not in the body:
 * an order that was refused because of its price keeps its key.
 *
 * @param last the last request, unless its order was placed
 */
export function orderRequestFor(
  { draft, cart, total, replaced }: WantedOrder,
  last: OrderRequest | undefined,
  newKey: () => string,
): OrderRequest {
  const { sameBilling, shipping_address, ...form } = draft;
  const billing_address = sameBilling ? shipping_address : form.billing_address;
  const items = cart.map(({ id, quantity }) => ({ item_id: id, quantity }));
  const body = JSON.stringify({ items, ...form, shipping_address, billing_address });
  const key = last?.body === body ? last.key : newKey();
  return {
    body,
    key,
    headers: {
      [idempotencyHeader]: key,
      [expectedTotalHeader]: decimalFromCents(total),
      [expectedPricesHeader]: cart.map(({ price }) => decimalFromCents(price)).join(),
      ...(replaced && { [replacedOrderHeader]: replaced.id, [orderKeyHeader]: replaced.key }),
    },
  };
}
