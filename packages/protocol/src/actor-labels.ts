import { labelOf } from "./label-of.ts";

/** A change with its author. */
export interface AuthoredChange {
  readonly by: string;
  /** The name of the member of staff or of the API token, if `by` does not have it. */
  readonly by_name?: string | null;
}

const labels: Readonly<Record<string, string>> = {
  customer: "the customer",
  provider: "the loan provider",
  shop: "the shop",
  staff: "staff",
};

export function actorLabel({ by, by_name }: AuthoredChange): string {
  return by_name ?? labelOf(labels, by, by);
}
