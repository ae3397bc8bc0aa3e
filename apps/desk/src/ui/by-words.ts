import type { MerchantOrder } from "@keepsats/protocol";

type HistoryEvent = MerchantOrder["events"][number];

const actors: Readonly<Record<string, string>> = {
  shopper: "the shopper",
  provider: "the lender",
  shop: "the shop",
  merchant: "staff",
};

/** Who made a change: a person or a token by name. */
export function byWords({ by, by_name }: Pick<HistoryEvent, "by" | "by_name">): string {
  return by_name ?? actors[by] ?? by;
}
