import {
  type Basket,
  blankAddress,
  type Cents,
  type CheckoutForm,
  customerFields,
  decimalFromCents,
  forEachField,
} from "@keepsats/domain";
import {
  expectedPricesHeader,
  expectedTotalHeader,
  idempotencyHeader,
  orderKeyHeader,
  replacedOrderHeader,
} from "@keepsats/protocol";
import type { ReplaceableOrder } from "./replaceable-order.ts";

/** The content of the checkout form. */
export interface Draft extends CheckoutForm {
  /** The billing address is the shipping address, whatever `billing_address` says. */
  readonly sameBilling: boolean;
}

/** An empty form. */
export function blankDraft(): Draft {
  return {
    ...forEachField(customerFields, () => ""),
    shipping_address: blankAddress(),
    billing_address: blankAddress(),
    sameBilling: true,
  };
}

/** What the shopper wants to order. */
export interface WantedOrder {
  readonly draft: Draft;
  readonly basket: Basket;
  /** The total that the shopper saw, in cents. */
  readonly total: Cents;
  /** A saved unpaid order to cancel in exchange. */
  readonly replaced?: Pick<ReplaceableOrder, "id" | "key"> | undefined;
}

/**
 * A request to place an order: the JSON body, its idempotency key, and what the shopper saw, as the
 * headers have it.
 */
export interface OrderRequest {
  readonly body: string;
  readonly key: string;
  readonly expectedTotal: string;
  readonly expectedPrices: string;
  readonly replaced: WantedOrder["replaced"];
}

/**
 * Builds the request for an order. A body that equals the last one keeps its idempotency key, so
 * the server answers with the order that the last request may have placed already; for example when
 * its answer was lost or the shopper cancelled it. Another body gets a new key. Prices are not in
 * the body: an order that was refused because of its price keeps its key.
 *
 * @param last the last request, unless its order is placed
 */
export function orderRequestFor(
  { draft, basket, total, replaced }: WantedOrder,
  last: OrderRequest | undefined,
  newKey: () => string,
): OrderRequest {
  const { sameBilling, shipping_address, ...form } = draft;
  const billing_address = sameBilling ? shipping_address : form.billing_address;
  const items = basket.map(({ id, quantity }) => ({ item_id: id, quantity }));
  const body = JSON.stringify({ items, ...form, shipping_address, billing_address });
  return {
    body,
    key: last?.body === body ? last.key : newKey(),
    expectedTotal: decimalFromCents(total),
    expectedPrices: basket.map(({ price }) => decimalFromCents(price)).join(),
    replaced,
  };
}

/** The headers of a request. */
export function headersOf({
  key,
  expectedTotal,
  expectedPrices,
  replaced,
}: OrderRequest): Record<string, string> {
  return {
    [idempotencyHeader]: key,
    [expectedTotalHeader]: expectedTotal,
    [expectedPricesHeader]: expectedPrices,
    ...(replaced && { [replacedOrderHeader]: replaced.id, [orderKeyHeader]: replaced.key }),
  };
}
