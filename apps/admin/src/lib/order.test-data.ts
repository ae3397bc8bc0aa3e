import { addressFields, mapFields } from "@keepsats/domain";
import type { AdminLedger, AdminOrder, OrderReturn, PaymentIssue } from "@keepsats/protocol";

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

const address = mapFields(addressFields, (field) => field);

export function anOrder(changes: Partial<AdminOrder> = {}): AdminOrder {
  return {
    id: "order",
    status: "Pending",
    items: [],
    total_price: 0,
    customer_name: "Jane Miller",
    customer_email: "jane@shop.example",
    shipping_address: address,
    billing_address: address,
    created_at: 1,
    carrier: null,
    tracking_number: null,
    tracking_url: null,
    merchant_message: null,
    erased_at: null,
    events: [],
    notes: [],
    loans: [],
    payment_issues: [],
    ledger: emptyLedger,
    deliveries: [],
    ...changes,
  };
}

export function anIssue(changes: Partial<PaymentIssue> = {}): PaymentIssue {
  return {
    id: "issue",
    loan_id: "loan",
    order_id: "order",
    order_status: "Cancelled",
    kind: "paid-after-cancel",
    detail: "",
    open_amount: 4_500,
    refunded_amount: 0,
    balance: {
      currency: "USD",
      refundable: 4_500,
      refund_due: 4_500,
      missing: 0,
      unknown_amount: false,
    },
    opened_at: 1,
    resolution: null,
    ...changes,
  };
}

export function aReturn(changes: Partial<OrderReturn> = {}): OrderReturn {
  return {
    id: "return",
    state: "accepted",
    lines: [{ item_id: "pot", quantity: 1 }],
    reason: "broken",
    message: null,
    by: "staff",
    by_name: "Ada",
    refund_id: null,
    opened_at: 1,
    changed_at: 1,
    ...changes,
  };
}
