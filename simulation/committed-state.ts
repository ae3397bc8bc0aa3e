import BetterSqlite3 from "better-sqlite3";
import type { Selectable } from "kysely";
import type { Tables } from "../apps/server/src/platform/database/tables.ts";

/** The tables that actors and invariants read, and the order of their rows. */
export const orderOfRows = {
  items: "position",
  orders: "created_at, id",
  order_lines: "order_id, position",
  order_events: "order_id, version",
  loans: "id",
  payment_checks: "loan_id, order_id",
  payment_issues: "loan_id, order_id, kind",
  journal: "position",
  receipts: "loan_id",
  issued_receipts: "order_id, sequence",
  refund_lines: "order_id, refund_id, position",
  outbox: "position",
  key_values: "name",
} as const satisfies { readonly [Table in keyof Tables]?: string };

type TableName = keyof typeof orderOfRows;
type Row<Table extends TableName> = Selectable<Tables[Table]>;
type Rows<Table extends TableName> = readonly Row<Table>[];

export interface CommittedOrder extends Row<"orders"> {
  readonly events: Rows<"order_events">;
}
export type CommittedEvent = Row<"order_events">;
export type CommittedLoan = Row<"loans">;
export type CommittedEntry = Row<"journal">;
export type CommittedDelivery = Row<"outbox">;

/** @param rows reads a table, at the same moment as the others */
export function stateOf(rows: <Table extends TableName>(table: Table) => Rows<Table>) {
  const events = Map.groupBy(rows("order_events"), ({ order_id }) => order_id);
  const orders = rows("orders").map(
    (order): CommittedOrder => ({ ...order, events: events.get(order.id) ?? [] }),
  );
  return {
    items: rows("items"),
    orders: new Map(orders.map((order) => [order.id, order])),
    lines: rows("order_lines"),
    loans: new Map(rows("loans").map((loan) => [loan.id, loan])),
    checks: rows("payment_checks"),
    issues: rows("payment_issues"),
    /** The journal, oldest first. */
    entries: rows("journal"),
    payoutReports: rows("receipts"),
    /** Receipts, each followed by the credit notes of its order. */
    receipts: rows("issued_receipts"),
    refundLines: rows("refund_lines"),
    /** The outbox, in the order of the events. */
    deliveries: rows("outbox"),
    keyValues: rows("key_values"),
  };
}

/** The committed data of a shop, at one moment. */
export type State = Readonly<ReturnType<typeof stateOf>>;

export const emptyState: State = stateOf(() => []);

export function wasPaid({ events }: CommittedOrder): boolean {
  return events.some(({ to_status }) => to_status === "PaymentProcessed");
}

/** A loan that counts as an extension until a sweep confirms that. */
export function presumedExtension({ loans }: State): CommittedLoan | undefined {
  return [...loans.values()].find((loan) => loan.presumed_extension_at !== null);
}

/** The start of the last complete sweep of all loans, by the system clock; 0 before the first. */
export function sweptAt({ keyValues }: State): number {
  const sweep = keyValues.find(({ name }) => name === "sweep");
  const began: unknown = Reflect.get(Object(JSON.parse(sweep?.value ?? "{}")), "began");
  return typeof began === "number" ? began : 0;
}

/** Reads a database over a separate connection, which sees only committed data. */
export interface StateReader {
  /** The same object as before if nothing was committed since. */
  state(): State;
  close(): void;
}

export function openStateReader(file: string): StateReader {
  const sqlite = new BetterSqlite3(file, { readonly: true });
  const version = sqlite.prepare<[], { data_version: number }>("PRAGMA data_version");
  const read = sqlite.transaction(() =>
    stateOf(<Table extends TableName>(table: Table) =>
      sqlite.prepare<[], Row<Table>>(`SELECT * FROM ${table} ORDER BY ${orderOfRows[table]}`).all(),
    ),
  );
  let known: { readonly version: number | undefined; readonly state: State } | undefined;
  return {
    state() {
      const current = version.get()?.data_version;
      if (known === undefined || known.version !== current)
        known = { version: current, state: read() };
      return known.state;
    },
    close: () => sqlite.close(),
  };
}
