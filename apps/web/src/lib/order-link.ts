/** The parameters of an order page's address. */
export interface OrderLink {
  readonly orderId: string;
  readonly contractId: string;
  /** The order's key, where it is known. */
  readonly key: string | undefined;
}

/**
 * The address of an order's page as a router location: `/order?orderId=…&contractId=…#key=…`. The key is in the fragment,
 * because browsers never send a fragment to a server, so it appears in no log.
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
