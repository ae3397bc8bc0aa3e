import type { Today } from "@keepsats/protocol";

/** For tests: the figures of a new shop, except for `part`. */
export function buildToday(part: Partial<Today> = {}): Today {
  return {
    to_ship: 0,
    payment_issues: 0,
    refunds_due: { orders: 0, amount: 0 },
    failed_deliveries: 0,
    low_stock: 0,
    sold_out: 0,
    orders_by_status: [],
    days: [],
    order_to_payment: [],
    loans: { active: 0, paid_out: 0, ended: 0, unknown: 0 },
    provider: { state: "ok", last_complete_sweep_at: null },
    mail: { configured: true, state: "ok", waiting: 0, failed: 0 },
    ...part,
  };
}
