import type { Today } from "@keepsats/protocol";

/** An answer for tests: a shop in which nothing has happened yet, except for what is given. */
export function someToday(part: Partial<Today> = {}): Today {
  return {
    to_ship: 0,
    mismatches: 0,
    refunds_owed: 0,
    deliveries_given_up: 0,
    low_stock: 0,
    sold_out: 0,
    orders_by_status: [],
    days: [],
    order_to_payment: [],
    loans: { under_way: 0, paid: 0, over: 0, unclear: 0 },
    provider: { state: "ok", last_complete_sweep_at: null },
    mail: { configured: true, state: "ok", waiting: 0, given_up: 0 },
    ...part,
  };
}
