/** The parameters of an order page's URL. */
export interface OrderLink {
  readonly orderId: string;
  readonly loanId?: string | undefined;
  readonly key?: string | undefined;
}

/** An order and its key. */
export interface KeyedLink {
  readonly orderId: string;
  readonly key: string;
}

/**
 * The path of an order's page: `/order?orderId=…&contractId=…#key=…`. The key is in the fragment,
 * because browsers never send fragments to a server, so it appears in no log.
 */
export function orderLink({ orderId, loanId, key }: OrderLink): string {
  const query = new URLSearchParams(
    loanId === undefined ? { orderId } : { orderId, contractId: loanId },
  );
  const fragment = key === undefined ? "" : `#${new URLSearchParams({ key })}`;
  return `/order?${query}${fragment}`;
}

/**
 * Completes a link without a key with the key of the saved order. A key in the link stays, even a
 * wrong one, because it is the link that the customer opened.
 */
export function withSavedKey(
  link: OrderLink | undefined,
  saved: { readonly id: string; readonly key?: string | undefined } | undefined,
): OrderLink | undefined {
  if (link === undefined || saved?.id !== link.orderId.toLowerCase()) return link;
  return { ...link, key: link.key ?? saved.key };
}

/**
 * Parses the URL of an order's page.
 *
 * @returns `undefined` for an incomplete URL: an order's id alone reveals nothing
 */
export function orderLinkIn(url: { search: string; hash: string }): OrderLink | undefined {
  const { search, hash } = url;
  const query = new URLSearchParams(search);
  const orderId = query.get("orderId");
  const loanId = query.get("contractId") || undefined;
  const key = new URLSearchParams(hash.slice(1)).get("key") || undefined;
  return orderId && (loanId ?? key) !== undefined ? { orderId, loanId, key } : undefined;
}
