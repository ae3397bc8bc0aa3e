import { randomUUID } from "node:crypto";
import {
  adminOrderSchema,
  type ledgerSchema,
  paths,
  paymentIssueSchema,
  paymentIssuesSchema,
  refundAnswerSchema,
  todaySchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Shop } from "./shop.ts";
import { callAdminApi, readAllPages } from "./staff.ts";

// The schemas permit earlier servers to leave out some fields.
const orderSchema = z.required(adminOrderSchema);
const figuresSchema = z.required(todaySchema);

// Amounts in dollars, or in units of the other currency, and times in seconds.
type Issue = z.input<typeof paymentIssueSchema>;
type Ledger = z.input<typeof ledgerSchema>;
type Order = z.input<typeof orderSchema>;

/** Checks an answer. Returns it as clients receive it. */
function checked<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.input<Schema> {
  return z.encode(schema, z.parse(schema, body));
}

/** An answer of the admin API. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A refund as staff enter it; amounts in dollars, or in units of `currency`. */
export interface RefundRequest {
  readonly amount: number;
  readonly currency?: string;
  readonly method?: string;
  readonly reference?: string;
  readonly reason?: string;
  readonly issue_id?: string;
  readonly expected_refunded?: number;
  readonly grant?: string;
  readonly return_id?: string;
  readonly lines?: readonly {
    readonly item_id: string;
    readonly quantity: number;
    readonly restock?: number;
  }[];
}

export type Resolution = "refunded" | "accepted" | "written-off" | "dismissed";

interface Identified {
  readonly id: string;
}

/** An order, or the loan of money without an order. */
type Subject = Identified;

/** What the shop's staff read and do about money, through the admin API. */
export interface Staff {
  orderOf(order: Identified): Promise<Order>;
  statusOf(order: Identified): Promise<string>;
  ledgerOf(order: Identified): Promise<Ledger>;
  /** The entries of an order's journal, oldest first, such as `received 12`. */
  journalOf(order: Identified): Promise<string[]>;
  /** The payment issues of an order, or of a loan without an order. */
  issuesOf(subject: Subject): Promise<Issue[]>;
  openIssues(subject: Subject): Promise<Issue[]>;
  /** The kinds of the open issues, sorted. */
  openKinds(subject: Subject): Promise<string[]>;
  /** The one issue of this kind, open or resolved; of one loan, if `loan` is given. */
  issue(subject: Subject, kind: string, loan?: Identified): Promise<Issue>;
  resolve(issue: Identified, kind: Resolution, note?: string): Promise<Answer>;
  reopen(issue: Identified, note?: string): Promise<Answer>;
  refund(order: Identified, request: RefundRequest, key?: string): Promise<Answer>;
  /** Records a refund that must succeed. Returns its id. */
  refunded(order: Identified, request: RefundRequest): Promise<string>;
  /** Records a refund that names an issue, also of money without an order. */
  refundFor(issue: Identified, request: RefundRequest, key?: string): Promise<Answer>;
  reverseRefund(order: Identified, refundId: string, reason?: string): Promise<Answer>;
  cancel(order: Identified, more?: object): Promise<Answer>;
  ship(order: Identified, more?: object): Promise<Answer>;
  deliver(order: Identified): Promise<Answer>;
  erase(order: Identified): Promise<Answer>;
  /** Corrects the shipping address. */
  correctAddress(order: Identified, shipping_address: object): Promise<Answer>;
  today(): Promise<z.input<typeof figuresSchema>>;
  call(method: string, path: string, body?: object): Promise<Answer>;
}

/** Staff of a shop, who use its first token. */
export function staffOf(shop: Pick<Shop, "url" | "token">): Staff {
  const { admin: api } = paths;
  const call: Staff["call"] = (method, path, body) => callAdminApi(shop, method, path, body);
  const move = (order: Identified, body: object) =>
    call("POST", withId(api.transitions, order.id), body);
  /** Repeats a request that has waited too long for its locks, as clients do. */
  async function withKey(path: string, request: RefundRequest, key: string = randomUUID()) {
    const body = { method: "bank transfer", ...request };
    const send = () => callAdminApi(shop, "POST", path, body, { "idempotency-key": key });
    let answer = await send();
    for (let repeats = 0; answer.status === 503 && repeats < 5; repeats += 1) answer = await send();
    return answer;
  }

  async function orderOf({ id }: Identified): Promise<Order> {
    return checked(orderSchema, okay(await call("GET", withId(api.order, id))));
  }
  async function issuesOf({ id }: Subject): Promise<Issue[]> {
    const pages = await readAllPages(async (query) =>
      checked(paymentIssuesSchema, okay(await call("GET", `${api.paymentIssues}${query}`))),
    );
    const all = pages.flatMap(({ payment_issues }) => payment_issues);
    return all.filter(({ order_id, loan_id }) => order_id === id || loan_id === id);
  }
  const openIssues: Staff["openIssues"] = async (subject) =>
    (await issuesOf(subject)).filter(({ resolution }) => resolution === null);
  const refund: Staff["refund"] = (order, request, key) =>
    withKey(withId(api.refunds, order.id), request, key);

  return {
    call,
    orderOf,
    issuesOf,
    openIssues,
    refund,
    statusOf: async (order) => (await orderOf(order)).status,
    ledgerOf: async (order) => (await orderOf(order)).ledger,
    journalOf: async (order) =>
      (await orderOf(order)).ledger.entries.map(
        ({ kind, amount }) => `${kind} ${amount ?? "unknown"}`,
      ),
    openKinds: async (subject) => (await openIssues(subject)).map(({ kind }) => kind).toSorted(),
    async issue(subject, kind, loan) {
      const all = await issuesOf(subject);
      const [found, ...more] = all.filter(
        (one) => one.kind === kind && (loan === undefined || one.loan_id === loan.id),
      );
      if (found === undefined || more.length > 0)
        throw new Error(`expected one issue ${kind}, found: ${JSON.stringify(all)}`);
      return found;
    },
    resolve: (issue, kind, note = "seen to") =>
      call("POST", withId(api.resolution, issue.id), { kind, note }),
    reopen: (issue, note = "that was wrong") =>
      call("POST", withId(`${api.paymentIssue}/reopening`, issue.id), { note }),
    async refunded(order, request) {
      const answer = await refund(order, request);
      return checked(refundAnswerSchema, okay(answer, 201)).id;
    },
    refundFor: (issue, request, key) =>
      withKey(withId(`${api.paymentIssue}/refunds`, issue.id), request, key),
    reverseRefund: (order, refundId, reason = "the account is closed") =>
      call("POST", `${withId(api.refunds, order.id)}/${refundId}/reversal`, { reason }),
    cancel: (order, more = {}) => move(order, { to: "Cancelled", ...more }),
    ship: (order, more = {}) => move(order, { to: "Shipped", ...more }),
    deliver: (order) => move(order, { to: "Delivered" }),
    erase: (order) => call("POST", withId(api.erasure, order.id)),
    correctAddress: (order, shipping_address) =>
      call("PATCH", withId(api.order, order.id), { shipping_address }),
    today: async () => checked(figuresSchema, okay(await call("GET", api.today))),
  };
}

/** The body of an answer that must have this status. */
export function okay({ status, body }: Answer, expected = 200): unknown {
  if (status !== expected) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** The issue in the answer of a resolution or a reopening. */
export function issueIn(answer: Answer): Issue {
  return checked(paymentIssueSchema, okay(answer));
}
