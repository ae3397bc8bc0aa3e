import type { LinePieces, OrderStatus } from "@keepsats/domain";
import BetterSqlite3 from "better-sqlite3";

/** A committed order and its events. */
export interface CommittedOrder {
  readonly id: string;
  readonly status: OrderStatus;
  readonly version: number;
  readonly attemptFailed: boolean;
  readonly email: string;
  /** As JSON. */
  readonly shippingAddress: string;
  readonly total: number;
  readonly events: readonly CommittedEvent[];
}

export interface CommittedEvent {
  readonly version: number;
  readonly kind: string;
  readonly from: OrderStatus | null;
  readonly to: OrderStatus;
  readonly by: string;
  /** As JSON; what it contains depends on the kind. */
  readonly data: string | null;
}

export interface CommittedLoan {
  readonly id: string;
  /** The order whose account has its money; `null` for money without an order. */
  readonly orderId: string | null;
  readonly state: string;
  /** Why it does not pay its order by itself. */
  readonly refusal: string | null;
  readonly presumedExtensionAt: number | null;
  /** 1 if it was presented with the order's key and is still checked. */
  readonly withKey: number;
}

export interface CommittedIssue {
  readonly id: string;
  readonly loanId: string;
  readonly orderId: string | null;
  readonly kind: string;
  readonly resolution: string | null;
}

/** An entry of the journal. */
export interface CommittedEntry {
  readonly id: string;
  readonly orderId: string | null;
  readonly loanId: string | null;
  readonly kind: string;
  /** In hundredths of the currency. */
  readonly amount: number;
  readonly unknown: number;
  readonly currency: string;
  readonly issueId: string | null;
  readonly refundId: string | null;
  /** The kind of a granted refund. */
  readonly grant: string | null;
}

export interface CommittedLine {
  readonly orderId: string;
  readonly itemId: string;
  readonly quantity: number;
}

export interface CommittedReturn {
  readonly id: string;
  readonly orderId: string;
  readonly state: string;
  readonly lines: readonly LinePieces[];
  readonly refundId: string | null;
}

/** A delivery of the outbox; `position` is its place in the order of events. */
export interface CommittedDelivery {
  readonly id: string;
  readonly position: number;
  readonly target: string;
  readonly type: string;
  readonly subject: string;
  readonly state: "waiting" | "delivered" | "skipped" | "failed";
}

/** The committed data of the shop. */
export interface State {
  readonly orders: ReadonlyMap<string, CommittedOrder>;
  readonly loans: ReadonlyMap<string, CommittedLoan>;
  readonly issues: readonly CommittedIssue[];
  readonly lines: readonly CommittedLine[];
  readonly returns: readonly CommittedReturn[];
  /** The journal, oldest first. */
  readonly entries: readonly CommittedEntry[];
  /** The ids of the loans that have a payout report. */
  readonly payoutReports: ReadonlySet<string>;
  /** By position. */
  readonly deliveries: readonly CommittedDelivery[];
  /** The items with a stock: the pieces that are left, and those that orders have taken. */
  readonly stock: readonly { readonly id: string; readonly left: number; readonly taken: number }[];
}

export const emptyState: State = {
  orders: new Map(),
  loans: new Map(),
  issues: [],
  lines: [],
  returns: [],
  entries: [],
  payoutReports: new Set(),
  deliveries: [],
  stock: [],
};

export interface CommittedItem {
  readonly id: string;
  readonly name: string;
  readonly price: number;
  readonly hidden: boolean;
}

/** Reads the shop's database over a separate connection, which sees only committed data. */
export interface StateReader {
  state(): State;
  items(): CommittedItem[];
  /** The start of the last complete sweep of all loans, by the system clock; 0 before the first. */
  sweptAt(): number;
  close(): void;
}

export function openStateReader(file: string): StateReader {
  const sqlite = new BetterSqlite3(file, { readonly: true });
  const all = <R>(sql: string) => sqlite.prepare<[], R>(sql);
  const orders = all<Omit<CommittedOrder, "attemptFailed" | "events"> & { attempt_failed: number }>(
    "SELECT id, status, version, attempt_failed, customer_email AS email, shipping_address AS shippingAddress, total FROM orders ORDER BY created_at, id",
  );
  const events = all<CommittedEvent & { orderId: string }>(
    'SELECT order_id AS orderId, version, kind, from_status AS "from", to_status AS "to", by, data FROM order_events ORDER BY order_id, version',
  );
  const loans = all<CommittedLoan>(
    "SELECT id, order_id AS orderId, state, refusal, presumed_extension_at AS presumedExtensionAt, EXISTS (SELECT 1 FROM payment_checks WHERE loan_id = id AND payment_checks.order_id = loans.order_id AND with_key = 1) AS withKey FROM loans ORDER BY id",
  );
  const issues = all<State["issues"][number]>(
    "SELECT id, loan_id AS loanId, order_id AS orderId, kind, resolution FROM payment_issues ORDER BY loan_id, order_id, kind",
  );
  const entries = all<CommittedEntry>(
    "SELECT id, order_id AS orderId, loan_id AS loanId, kind, amount, unknown, currency, issue_id AS issueId, refund_id AS refundId, grant_kind AS grant FROM journal ORDER BY position",
  );
  const lines = all<CommittedLine>(
    "SELECT order_id AS orderId, item_id AS itemId, quantity FROM order_lines ORDER BY order_id, position",
  );
  const returns = all<Omit<CommittedReturn, "lines"> & { lines: string }>(
    "SELECT id, order_id AS orderId, state, lines, refund_id AS refundId FROM order_returns ORDER BY opened_at, id",
  );
  const payoutReports = all<{ loanId: string }>("SELECT loan_id AS loanId FROM receipts");
  const deliveries = all<CommittedDelivery>(
    "SELECT id, position, target, type, subject, state FROM outbox ORDER BY position",
  );
  const stock = all<State["stock"][number]>(
    "SELECT id, stock AS left, (SELECT coalesce(sum(taken), 0) FROM order_lines WHERE item_id = items.id) AS taken FROM items WHERE stock IS NOT NULL ORDER BY id",
  );
  const items = all<Omit<CommittedItem, "hidden"> & { hidden: number }>(
    "SELECT id, name, price, hidden FROM items ORDER BY position",
  );
  const sweep = all<{ value: string }>("SELECT value FROM key_values WHERE name = 'sweep'");
  const version = all<{ data_version: number }>("PRAGMA data_version");
  let known: { readonly version: number | undefined; readonly state: State } | undefined;

  const read = sqlite.transaction((): State => {
    const eventsOf = Map.groupBy(events.all(), ({ orderId }) => orderId);
    return {
      orders: new Map(
        orders
          .all()
          .map(({ attempt_failed, ...order }) => [
            order.id,
            { ...order, attemptFailed: attempt_failed === 1, events: eventsOf.get(order.id) ?? [] },
          ]),
      ),
      loans: new Map(loans.all().map((loan) => [loan.id, loan])),
      issues: issues.all(),
      lines: lines.all(),
      returns: returns.all().map((row) => ({ ...row, lines: JSON.parse(row.lines) })),
      entries: entries.all(),
      payoutReports: new Set(payoutReports.all().map(({ loanId }) => loanId)),
      deliveries: deliveries.all(),
      stock: stock.all(),
    };
  });

  return {
    state() {
      const current = version.get()?.data_version;
      if (known === undefined || known.version !== current)
        known = { version: current, state: read() };
      return known.state;
    },
    items: () => items.all().map(({ hidden, ...item }) => ({ ...item, hidden: hidden === 1 })),
    sweptAt() {
      const value: unknown = JSON.parse(sweep.get()?.value ?? "{}");
      const began: unknown = Reflect.get(Object(value), "began");
      return typeof began === "number" ? began : 0;
    },
    close: () => sqlite.close(),
  };
}

export const noDatabase: StateReader = {
  state: () => emptyState,
  items: () => [],
  sweptAt: () => 0,
  close() {},
};
