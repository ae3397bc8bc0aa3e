/** The parameters of an order page's address. */
export interface OrderLink {
  readonly orderId: string;
  /** The contract that pays the order, where there is one. */
  readonly contractId?: string | undefined;
  /** The order's key, where it is known. */
  readonly key?: string | undefined;
}

/**
 * The address of an order's page: `/order?orderId=…&contractId=…#key=…`. The key is in the fragment,
 * because browsers never send a fragment to a server, so it appears in no log.
 */
export function orderLink({ orderId, contractId, key }: OrderLink): string {
  const query = new URLSearchParams(
    contractId === undefined ? { orderId } : { orderId, contractId },
  );
  const fragment = key === undefined ? "" : `#${new URLSearchParams({ key })}`;
  return `/order?${query}${fragment}`;
}

/**
 * Completes a link that has no key with the key that this browser knows of the order. A key in the
 * link stays, even a wrong one: it is what the shopper opened.
 */
export function withOwnKey(
  link: OrderLink | undefined,
  own: { readonly id: string; readonly key?: string | undefined } | undefined,
): OrderLink | undefined {
  if (link === undefined || own?.id !== link.orderId.toLowerCase()) return link;
  return { ...link, key: link.key ?? own.key };
}

/**
 * Reads the address of an order's page.
 *
 * @returns `undefined` for an incomplete address: an order's id alone reveals nothing
 */
export function orderLinkIn({
  search,
  hash,
}: {
  search: string;
  hash: string;
}): OrderLink | undefined {
  const query = new URLSearchParams(search);
  const orderId = query.get("orderId");
  const contractId = query.get("contractId") || undefined;
  const key = new URLSearchParams(hash.slice(1)).get("key") || undefined;
  return orderId && (contractId ?? key) !== undefined ? { orderId, contractId, key } : undefined;
}
