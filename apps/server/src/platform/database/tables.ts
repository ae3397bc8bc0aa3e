import type { JournalKind, OrderStatus, ReturnState } from "@keepsats/domain";
import type { LoanRefusal, LoanState, Role } from "@keepsats/protocol";
import type { ColumnType, Generated } from "kysely";

/**
 * A newer version may have stored a status that this one does not know; only known ones are
 * written.
 */
type StatusColumn = ColumnType<string, OrderStatus, OrderStatus>;

/** The roles that 1.0.0 does not know. */
type Restricted = "packer";

/** Times are epoch milliseconds, amounts are cents, flags are 0 or 1, addresses are JSON. */
export interface Tables {
  items: {
    id: string;
    name: string;
    description: string;
    price: number;
    image_url: string;
    hidden: number;
    /** `null` if the stock is not counted. */
    stock: ColumnType<number | null, number | null | undefined, number | null>;
    /** 1 if the merchant was notified of low stock. */
    low_reported: Generated<number>;
    /** JSON: the URLs of the further pictures. */
    images: Generated<string>;
    position: number;
    /** In basis points; `null` for the rate of the shop. */
    vat_rate: ColumnType<number | null, number | null | undefined, number | null>;
    category_id: ColumnType<string | null, string | null | undefined, string | null>;
    /** The id of the main item of its group. That item may be gone: 1.0.0 deletes it alone. */
    variant_of: ColumnType<string | null, string | null | undefined, string | null>;
    variant_name: ColumnType<string | null, string | null | undefined, string | null>;
  };
  categories: { id: string; name: string; name_key: string; position: number };
  orders: {
    position: Generated<number>;
    id: string;
    status: StatusColumn;
    version: number;
    attempt_failed: number;
    customer_name: string;
    customer_email: string;
    shipping_address: string;
    billing_address: string;
    total: number;
    created_at: number;
    updated_at: Generated<number>;
    paid_at: ColumnType<number | null, number | null | undefined, number | null>;
    /** The search words, each after a space. */
    words: Generated<string>;
    carrier: string | null;
    tracking_number: string | null;
    tracking_url: string | null;
    /** The message to the customer about a cancellation. */
    merchant_message: string | null;
    erased_at: number | null;
    client_hash: string | null;
  };
  order_lines: {
    order_id: string;
    position: number;
    item_id: string;
    name: string;
    price: number;
    quantity: number;
    /** The pieces taken from the stock. */
    taken: number;
  };
  order_events: {
    order_id: string;
    version: number;
    from_status: ColumnType<string | null, string | null, never>;
    to_status: ColumnType<string, string, never>;
    kind: string;
    by: string;
    /** The name of the API token or member of staff, if staff made the change. */
    by_name: ColumnType<string | null, string | null | undefined, string | null>;
    reason: string | null;
    /** JSON; its fields depend on `kind`. */
    data: ColumnType<string | null, string | null | undefined, string | null>;
    at: number;
  };
  idempotency_keys: {
    key: string;
    body_hash: string;
    /** The order that was placed under it. */
    order_id: string | null;
    created_at: number;
  };
  loans: {
    id: string;
    order_id: string | null;
    named_order_id: string | null;
    provider_status: string;
    state: LoanState;
    was_active: number;
    was_extended: number;
    cents: number | null;
    currency: string;
    amount_text: string | null;
    refusal: LoanRefusal | null;
    presumed_extension_at: number | null;
    paid_out_at: number | null;
    bound_at: number;
    updated_at: number;
  };
  settled_loans: { loan_id: string; report: string };
  /** The loans that were presented for orders, and are still checked. */
  payment_checks: {
    loan_id: string;
    order_id: string;
    /** What the last check found; `again` if the loan is to be checked once more. */
    outcome: string;
    failures: number;
    /** The earliest time of the next check while a customer is subscribed. */
    not_before: number;
    /** The time of the next check without a subscriber. */
    next_at: number;
    leased_until: number;
    created_at: number;
    /** 1 if the loan was presented with the order key: `holdsKey` in the code. */
    with_key: number;
  };
  payment_issues: {
    /** A hash of loan, order and kind. */
    id: string;
    loan_id: string;
    /** `null` for money without an order. */
    order_id: string | null;
    kind: string;
    detail: string;
    opened_at: number;
    resolution: ColumnType<string | null, undefined, string | null>;
    resolution_note: ColumnType<string | null, undefined, string | null>;
    resolved_by: ColumnType<string | null, undefined, string | null>;
    resolved_at: ColumnType<number | null, undefined, number | null>;
  };
  /**
   * Payout reports, `PayoutReport` in the code: each payout as it was first seen. Rows never change.
   * Receipts for customers are in `issued_receipts`.
   */
  receipts: {
    loan_id: string;
    /** The order that the loan named then; it may not exist. */
    order_id: string | null;
    amount: number | null;
    currency: string;
    provider_amount: string;
    paid_at: number;
    seen_at: number;
  };
  /** The entries of all accounts. Append-only; text that staff wrote can be erased. */
  journal: {
    position: Generated<number>;
    id: string;
    order_id: string | null;
    loan_id: string | null;
    kind: JournalKind;
    amount: number;
    unknown: number;
    currency: string;
    at: number;
    by_name: string;
    reason: string | null;
    /** The payment issue whose resolution or refund caused the entry. */
    issue_id: string | null;
    refund_id: string | null;
    method: string | null;
    reference: string | null;
    /** A grant kind, or one of a newer version; `null` except in a granted refund. */
    grant_kind: string | null;
  };
  /** The receipts of paid orders and their credit notes. Rows never change. */
  issued_receipts: {
    order_id: string;
    /** 0 is the receipt; its credit notes are counted from 1. */
    sequence: number;
    /** The refund that a credit note is for. */
    refund_id: string | null;
    issued_at: number;
    /** JSON. */
    content: string;
  };
  refund_lines: {
    order_id: string;
    refund_id: string;
    position: number;
    quantity: number;
    /** The pieces added to the stock. */
    restocked: number;
  };
  order_returns: {
    id: string;
    order_id: string;
    /** A state of a return, or one of a newer version. */
    state: ColumnType<string, ReturnState, ReturnState>;
    /** JSON: items and their pieces. */
    lines: string;
    reason: string | null;
    /** The text for the customer about the state. */
    message: string | null;
    by: string;
    by_name: string | null;
    refund_id: ColumnType<string | null, undefined, string>;
    opened_at: number;
    changed_at: number;
  };
  outbox: {
    position: Generated<number>;
    id: string;
    channel: string;
    target: string;
    type: string;
    subject: string;
    /** JSON. */
    data: string;
    state: "waiting" | "delivered" | "skipped" | "failed";
    /** The attempts since the last manual retry. */
    attempts: Generated<number>;
    manual_retries: Generated<number>;
    /** The time of the next attempt, or during an attempt the end of its lease. */
    next_at: number;
    /** The end of the lease of the running attempt; 0 for none. */
    leased_until: Generated<number>;
    created_at: number;
    ended_at: ColumnType<number | null, undefined, number | null>;
    /** The answer to the last attempt. */
    answer: ColumnType<string | null, undefined, string | null>;
  };
  /** Emails about unpaid orders of the last hour. */
  unpaid_emails: {
    delivery_id: string;
    /** SHA-256 of the address, base64url. */
    address_hash: string;
    at: number;
    client_hash: string | null;
  };
  webhooks: {
    id: string;
    url: string;
    /** JSON: the types of events that it receives; `null` for all. */
    events: string | null;
    secret: string;
    old_secret: string | null;
    old_secret_until: number | null;
    is_on: number;
    off_reason: string | null;
    failing_since: number | null;
    created_by: string;
    created_at: number;
  };
  tokens: {
    id: string;
    name: string;
    role: Exclude<Role, Restricted>;
    /** A role that is narrower than `role`, and has precedence. */
    restricted_role: ColumnType<Restricted | null, Restricted | null | undefined, never>;
    /** SHA-256 of the token, base64url. */
    hash: string;
    created_by: string;
    created_at: number;
    used_at: number | null;
  };
  shop_settings: {
    name: string;
    /** JSON. */
    value: string;
    changed_by: string;
    changed_at: number;
  };
  staff: {
    id: string;
    name: string;
    /** Makes names unique without regard to case. */
    name_key: string;
    email: string | null;
    role: Exclude<Role, Restricted>;
    /** A role that is narrower than `role`, and has precedence. */
    restricted_role: ColumnType<Restricted | null, Restricted | null | undefined, never>;
    created_by: string;
    created_at: number;
    signed_in_at: number | null;
  };
  sign_in_links: {
    /** SHA-256 of the secret, base64url. */
    hash: string;
    staff_id: string;
    expires_at: number;
  };
  passkeys: {
    id: string;
    staff_id: string;
    credential_id: string;
    public_key: string;
    counter: number;
    name: string;
    created_at: number;
    used_at: number | null;
  };
  passkey_challenges: {
    id: string;
    challenge: string;
    /** Written by earlier versions only. */
    staff_id: string | null;
    expires_at: number;
  };
  staff_sessions: {
    id: string;
    /** SHA-256 of the secret, base64url. */
    hash: string;
    staff_id: string;
    browser: string | null;
    created_at: number;
    used_at: number;
  };
  pictures: {
    /** The first digits of a SHA-256 of the upload, in hexadecimal. */
    id: string;
    /** The size of the largest file, in pixels. */
    width: number;
    height: number;
    /** When it was last uploaded or seen in use. */
    used_at: number;
  };
  picture_files: { picture_id: string; width: number; format: string; content: Buffer };
  call_budget: {
    name: string;
    calls: number;
    /** The remaining calls that are reserved for unbound loans: `reserve` in the code. */
    share: number;
    filled_at: number;
    paused_until: number;
  };
  leases: { name: string; until: number };
  key_values: { name: string; value: string };
  web_assets: { name: string; content: Buffer; gzipped: number; used_at: number };
}
