/** What names an order on its page. */
export interface OrderLink {
  readonly orderId: string;
  readonly contractId: string;
  /** The order's key, where it is known. */
  readonly key: string | undefined;
}

/**
 * The address of an order's page, in the form that the router takes. The key stands in the fragment, which is never sent
 * to a server and so is in no log on the way: `/order?orderId=…&contractId=…#key=…`.
 */
export function orderLink({ orderId, contractId, key }: OrderLink) {
  return {
    pathname: "/order",
    search: `?${new URLSearchParams({ orderId, contractId })}`,
    hash: key === undefined ? "" : `#${new URLSearchParams({ key })}`,
  };
}

/** The key in the fragment of an order page's address, such as `#key=…`. */
export function keyInFragment(hash: string): string | undefined {
  return new URLSearchParams(hash.slice(1)).get("key") ?? undefined;
}
