/** Who made a change of an order. */
interface Author {
  readonly by: string;
  readonly by_name: string | null;
}

const actors: Readonly<Record<string, string>> = {
  shopper: "the shopper",
  provider: "the lender",
  shop: "the shop",
  merchant: "staff",
};

/** Who made a change: a person or a token by name. */
export function byWords({ by, by_name }: Author): string {
  return by_name ?? actors[by] ?? by;
}
