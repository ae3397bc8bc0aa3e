import { currency as shopCurrency } from "@keepsats/domain";
import {
  idempotencyHeader,
  ledgerSchema,
  type PaymentIssue,
  paths,
  paymentIssuesSchema,
  resolutions,
  withId,
  withRefundId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Treatment } from "./plan.ts";
import { askAsStaff as ask } from "./staff-request.ts";
import type { World } from "./world.ts";

/**
 * The staff decides about the money of an order, or of another account that has a payment issue.
 *
 * @param share a number from 0 to 1.2: which share of the money, or which decision
 */
export function decideAboutMoney(
  world: World,
  orderId: string,
  how: Extract<Treatment, "refund" | "resolve" | "reopen" | "reverse">,
  share: number,
): void {
  switch (how) {
    case "refund":
      return refund(world, orderId, share);
    case "reverse":
      return reverse(world, orderId);
    case "resolve":
      return resolve(world, orderId, share);
    case "reopen":
      return reopen(world, orderId);
  }
}

/** After how long a refund is sent again with its key, in milliseconds, like after a lost answer. */
const REPEATED_AFTER = 2_500;
/** How much staff say that an unknown amount was, in cents. */
const LEARNED = 4_500;

/**
 * Records the refund of a share of the money that a payment issue or an order has to refund; a share
 * above 1 is too much.
 */
function refund(world: World, orderId: string, share: number): void {
  readIssues(world, "open", (issues) => {
    const withMoney = issues.filter(({ open_amount }) => open_amount !== 0);
    const issue = choose(withMoney, orderId);
    if (issue === undefined) return refundOf(world, { orderId, issue, share });
    const isNamed = issue.order_id === null || issue.balance.unknown_amount || share < 0.7;
    const about = { orderId: issue.order_id ?? undefined, share };
    refundOf(world, { ...about, issue: isNamed ? issue : undefined });
  });
}

interface Wanted {
  /** The order with the money; by default that of the payment issue's loan, which has no order. */
  readonly orderId: string | undefined;
  readonly issue: PaymentIssue | undefined;
  readonly share: number;
}

function refundOf(world: World, { orderId, issue, share }: Wanted): void {
  const url =
    orderId === undefined
      ? withId(paths.merchant.paymentIssue, issue?.id ?? "")
      : withId(paths.merchant.order, orderId);
  ask(world, { method: "GET", url }, ({ statusCode, json }) => {
    const body = Object(Reflect.get(Object(json()), "ledger"));
    const { data: ledger } = z.safeDecode(ledgerSchema, body);
    if (statusCode !== 200 || ledger === undefined) return;
    const currency = issue?.balance.currency ?? shopCurrency.code;
    const { refundable } =
      ledger.other_currencies.find((one) => one.currency === currency) ?? ledger;
    const most = issue?.balance.unknown_amount === true ? LEARNED : refundable;
    const cents = Math.max(1, Math.round(most * share));
    const named = orderId === undefined || issue === undefined ? {} : { issue_id: issue.id };
    const payload = { amount: cents / 100, currency, method: "bank transfer", ...named };
    const key = `refund-${issue?.id ?? orderId}-${world.time.now}`;
    const path =
      orderId === undefined
        ? withId(paths.merchant.issueRefunds, issue?.id ?? "")
        : withId(paths.merchant.refunds, orderId);
    sendRefund(world, { path, payload, cents, key });
  });
}

interface SentRefund {
  readonly path: string;
  readonly payload: object;
  readonly cents: number;
  readonly key: string;
}

/** Records a refund, and sends the same request again: it must be recorded once. */
function sendRefund(world: World, { path, payload, cents, key }: SentRefund): void {
  const ids = new Set<unknown>();
  const headers = { [idempotencyHeader]: key };
  const send = () =>
    ask(world, { method: "POST", url: path, headers, payload }, ({ statusCode, json }) => {
      world.note(`the staff refunds ${cents} cents, ${key.slice(0, 15)}: ${statusCode}`);
      if (statusCode !== 201) return;
      const id: unknown = Reflect.get(Object(json()), "id");
      ids.add(id);
      if (ids.size > 1)
        world.fail("refund-recorded-twice", `one key has the refunds ${[...ids].join(" and ")}`);
      const stored = world.state.entries.filter(
        ({ kind, refundId }) => kind === "refunded" && refundId === id,
      );
      if (stored.length !== 1 || stored[0]?.amount !== cents)
        world.fail("acknowledged-refund-lost", `${stored.length} refunds ${id} are stored`);
    });
  send();
  world.after(REPEATED_AFTER, send);
}

/** The newest refund of the order, or else of any order, did not arrive. */
function reverse(world: World, orderId: string): void {
  const refunds = world.state.entries.filter(({ kind }) => kind === "refunded").toReversed();
  const refund =
    refunds.find((entry) => entry.orderId === orderId) ??
    refunds.find((entry) => entry.orderId !== null);
  const { refundId, orderId: from } = refund ?? {};
  if (typeof refundId !== "string" || typeof from !== "string") return;
  const url = withRefundId(paths.merchant.refundReversal, from, refundId);
  ask(world, { method: "POST", url, payload: { reason: "It came back." } }, ({ statusCode }) => {
    world.note(`the staff reverses refund ${refundId.slice(0, 8)}: ${statusCode}`);
    const isStored = world.state.entries.some(
      (entry) => entry.kind === "refund-reversed" && entry.refundId === refundId,
    );
    if (statusCode === 201 && !isStored)
      world.fail("acknowledged-refund-lost", `the reversal of ${refundId} is not stored`);
  });
}

/** Reads the payment issues. @param onRead is not called if the shop does not answer */
function readIssues(
  world: World,
  state: "open" | "resolved",
  onRead: (issues: readonly PaymentIssue[]) => void,
): void {
  const url = `${paths.merchant.paymentIssues}?state=${state}`;
  ask(world, { method: "GET", url }, ({ statusCode, json }) => {
    if (statusCode !== 200) return;
    const { data, error } = z.safeDecode(paymentIssuesSchema, Object(json()));
    if (error === undefined) onRead(data.payment_issues);
    else world.fail("issues-wrong", error.message);
  });
}

/** The first payment issue of an order, or else the first one. */
function choose(issues: readonly PaymentIssue[], orderId: string): PaymentIssue | undefined {
  return issues.find((issue) => issue.order_id === orderId) ?? issues[0];
}

function resolve(world: World, orderId: string, share: number): void {
  readIssues(world, "open", (issues) => {
    const withMoney = issues.filter(({ open_amount }) => open_amount !== 0);
    const issue = choose(withMoney, orderId) ?? choose(issues, orderId);
    if (issue === undefined) return;
    const kind = resolutions[Math.floor(share * 10) % resolutions.length] ?? "dismissed";
    const url = withId(paths.merchant.resolution, issue.id);
    ask(world, { method: "POST", url, payload: { kind, note: "Seen to." } }, ({ statusCode }) => {
      world.note(`the staff resolves ${issue.kind} as ${kind}: ${statusCode}`);
      if (statusCode === 200) checkResolved(world, issue, kind);
    });
  });
}

/**
 * An acknowledged resolution is stored, unless the payment issue was opened again since, and maybe
 * ended by the shop itself.
 */
function checkResolved(world: World, { id, loan_id }: PaymentIssue, resolution: string): void {
  const stored = world.state.issues.find((issue) => issue.id === id);
  const possible = [resolution, null, "refunded", "dismissed"];
  if (stored === undefined || !possible.includes(stored.resolution))
    world.fail(
      "acknowledged-resolution-lost",
      `${loan_id} is ${stored?.resolution}, not ${resolution}`,
    );
}

/** Takes the resolution of a payment issue back. */
function reopen(world: World, orderId: string): void {
  readIssues(world, "resolved", (issues) => {
    const taken = issues.filter(({ resolution }) => resolution?.by !== "shop");
    const issue = choose(taken, orderId);
    if (issue === undefined) return;
    const url = withId(paths.merchant.reopening, issue.id);
    ask(world, { method: "POST", url, payload: { note: "A mistake." } }, ({ statusCode }) =>
      world.note(`the staff reopens ${issue.kind}, ${issue.resolution?.kind}: ${statusCode}`),
    );
  });
}
