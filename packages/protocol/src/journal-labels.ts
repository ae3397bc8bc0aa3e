import type { JournalKind } from "@keepsats/domain";
import type { MerchantEntry } from "./merchant-money.ts";

interface Labels {
  readonly label: string;
  /** The label of a negative amount; the same by default. */
  readonly negative?: string;
}

const labels: Readonly<Record<JournalKind, Labels>> = {
  received: { label: "Received" },
  reversed: { label: "Payout reversed" },
  corrected: { label: "Amount corrected" },
  extension: { label: "No extension after all", negative: "Extension: no new money" },
  transferred: { label: "Moved here", negative: "Moved to another order" },
  refunded: { label: "Refunded" },
  "refund-reversed": { label: "Refund did not arrive" },
  kept: { label: "Kept", negative: "Kept: undone" },
  waived: { label: "Waived", negative: "Waived: undone" },
  "written-off": { label: "Written off", negative: "Written off: undone" },
};

const labelsByKind = new Map<string, Labels>(Object.entries(labels));

/** The label of a journal entry; the kind itself if a newer version has stored it. */
export function entryLabel({ kind, amount }: Pick<MerchantEntry, "kind" | "amount">): string {
  const { label, negative = label } = labelsByKind.get(kind) ?? { label: kind };
  return amount !== null && amount < 0 ? negative : label;
}
