import type { OrderStatus } from "@keepsats/domain";
import type { ColumnType, Generated } from "kysely";

/**
 * A status of an order. A newer version may have stored one that this version does not know, so any text is read; only
 * known statuses are written.
 */
type StatusColumn = ColumnType<string, OrderStatus, OrderStatus>;

/** Times are epoch milliseconds, amounts are cents, flags are 0 or 1, and addresses are JSON texts. */
export interface Tables {
  items: {
    id: string;
    name: string;
    description: string;
    price: number;
    image_url: string;
    hidden: number;
    position: Generated<number>;
  };
  orders: {
    id: string;
    status: StatusColumn;
    version: number;
    attempt_over: number;
    customer_name: string;
    customer_email: string;
    shipping_address: string;
    billing_address: string;
    total: number;
    created_at: number;
  };
  order_lines: {
    order_id: string;
    position: number;
    item_id: string;
    name: string;
    price: number;
    quantity: number;
  };
  order_events: {
    order_id: string;
    version: number;
    from_status: ColumnType<string | null, OrderStatus | null, never>;
    to_status: ColumnType<string, OrderStatus, never>;
    by: string;
    reason: string | null;
    at: number;
  };
  idempotency_keys: {
    key: string;
    body_hash: string;
    answer: string;
    created_at: number;
  };
  contracts: {
    id: string;
    order_id: string;
    status: string;
    meaning: "processing" | "paid" | "over" | "unknown";
    was_extended: Generated<number>;
    cents: number | null;
    extends: string | null;
    bound_at: number;
    updated_at: number;
  };
  settled_contracts: { contract_id: string; told: string };
  payment_checks: {
    contract_id: string;
    order_id: string;
    outcome: string;
    failures: number;
    /** The earliest time of the next check of a followed contract. */
    not_before: number;
    /** The time of the next check of a contract that nobody follows. */
    next_at: number;
    leased_until: number;
    created_at: number;
  };
  mismatches: {
    contract_id: string;
    order_id: string;
    kind: string;
    detail: string;
    seen_at: number;
  };
  call_budget: {
    name: string;
    calls: number;
    share: number;
    filled_at: number;
    paused_until: number;
  };
  leases: { name: string; until: number };
  facts: { name: string; value: string };
  web_assets: { name: string; content: Buffer; gzipped: number; used_at: number };
}
