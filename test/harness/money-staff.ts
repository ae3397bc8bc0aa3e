import { randomUUID } from "node:crypto";
import {
  adminOrderSchema,
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

/** Staff of a shop, who use its first token. */
export function staffOf(shop: Pick<Shop, "url" | "token">) {
  const { admin: api } = paths;
  const call = (method: string, path: string, body?: object): Promise<Answer> =>
    callAdminApi(shop, method, path, body);
  const move = (order: Identified, body: object) =>
    call("POST", withId(api.transitions, order.id), body);
  /** Repeats a request that has waited too long for its locks, as clients do. */
  async function withKey(
    path: string,
    request: RefundRequest,
    key: string = randomUUID(),
  ): Promise<Answer> {
    const body = { method: "bank transfer", ...request };
    const send = () => callAdminApi(shop, "POST", path, body, { "idempotency-key": key });
    let answer = await send();
    for (let repeats = 0; answer.status === 503 && repeats < 5; repeats += 1) answer = await send();
    return answer;
  }

  async function orderOf({ id }: Identified): Promise<Order> {
    return checked(orderSchema, okay(await call("GET", withId(api.order, id))));
  }
  /** The payment issues of an order, or of a loan without an order. */
  async function issuesOf({ id }: Subject): Promise<Issue[]> {
    const pages = await readAllPages(async (query) =>
      checked(paymentIssuesSchema, okay(await call("GET", `${api.paymentIssues}${query}`))),
    );
    const all = pages.flatMap(({ payment_issues }) => payment_issues);
    return all.filter(({ order_id, loan_id }) => order_id === id || loan_id === id);
  }
  const openIssues = async (subject: Subject) =>
    (await issuesOf(subject)).filter(({ resolution }) => resolution === null);
  const refund = (order: Identified, request: RefundRequest, key?: string) =>
    withKey(withId(api.refunds, order.id), request, key);

  return {
    call,
    orderOf,
    issuesOf,
    openIssues,
    refund,
    statusOf: async (order: Identified) => (await orderOf(order)).status,
    ledgerOf: async (order: Identified) => (await orderOf(order)).ledger,
    /** The entries of an order's journal, oldest first, such as `received 12`. */
    journalOf: async (order: Identified) =>
      (await orderOf(order)).ledger.entries.map(
        ({ kind, amount }) => `${kind} ${amount ?? "unknown"}`,
      ),
    /** The kinds of the open issues, sorted. */
    openKinds: async (subject: Subject) =>
      (await openIssues(subject)).map(({ kind }) => kind).toSorted(),
    /** The one issue of this kind, open or resolved; of one loan, if `loan` is given. */
    async issue(subject: Subject, kind: string, loan?: Identified): Promise<Issue> {
      const all = await issuesOf(subject);
      const [found, ...more] = all.filter(
        (one) => one.kind === kind && (loan === undefined || one.loan_id === loan.id),
      );
      if (found === undefined || more.length > 0)
        throw new Error(`expected one issue ${kind}, found: ${JSON.stringify(all)}`);
      return found;
    },
    resolve: (issue: Identified, kind: Resolution, note = "seen to") =>
      call("POST", withId(api.resolution, issue.id), { kind, note }),
    reopen: (issue: Identified, note = "that was wrong") =>
      call("POST", withId(api.reopening, issue.id), { note }),
    /** Records a refund that must succeed. Returns its id. */
    async refunded(order: Identified, request: RefundRequest): Promise<string> {
      const answer = await refund(order, request);
      return checked(refundAnswerSchema, okay(answer, 201)).id;
    },
    /** Records a refund that names an issue, also of money without an order. */
    refundFor: (issue: Identified, request: RefundRequest, key?: string) =>
      withKey(withId(api.issueRefunds, issue.id), request, key),
    reverseRefund: (order: Identified, refundId: string, reason = "the account is closed") =>
      call("POST", withId(api.refundReversal, order.id, refundId), { reason }),
    cancel: (order: Identified, more = {}) => move(order, { to: "Cancelled", ...more }),
    ship: (order: Identified, more = {}) => move(order, { to: "Shipped", ...more }),
    deliver: (order: Identified) => move(order, { to: "Delivered" }),
    erase: (order: Identified) => call("POST", withId(api.erasure, order.id)),
    /** Corrects the shipping address. */
    correctAddress: (order: Identified, shipping_address: object) =>
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
