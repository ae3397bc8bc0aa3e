import type { AdminLedger } from "@keepsats/protocol";

/** For tests: the ledger of an order without money. */
export const emptyLedger: AdminLedger = {
  received: 0,
  kept: 0,
  waived: 0,
  written_off: 0,
  refund_due: 0,
  refundable: 0,
  refunded: 0,
  missing: 0,
  unknown_amounts: 0,
  other_currencies: [],
  entries: [],
};
