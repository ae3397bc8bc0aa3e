import { shopCurrency } from "@keepsats/domain";
import {
  idempotencyHeader,
  ledgerSchema,
  type PaymentIssue,
  paths,
  paymentIssuesSchema,
  resolutions,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { World } from "../world.ts";
import type { PlacedOrder } from "./customers.ts";
import { asStaff, read } from "./requests.ts";

/** A refund is sent again after this time with its key, as after a lost answer, in milliseconds. */
const REPEAT_DELAY = 2_500;
/** The actual amount of a payout whose amount the provider does not report, in cents. */
const UNREPORTED_AMOUNT = 4_500;

type OnIssues = (issues: readonly PaymentIssue[]) => void;

function readIssues(world: World, state: "open" | "resolved", onRead: OnIssues): void {
  const url = `${paths.admin.paymentIssues}?state=${state}`;
  read(world, url, paymentIssuesSchema, ({ payment_issues }) => onRead(payment_issues));
}

/** The first payment issue of the order, or else the first one. */
function choose(issues: readonly PaymentIssue[], orderId: string): PaymentIssue | undefined {
  return issues.find((issue) => issue.order_id === orderId) ?? issues[0];
}

const hasMoney = ({ open_amount }: PaymentIssue) => open_amount !== 0;

/** Refunds a share of the refundable amount; a share above 1 is too much. */
export function refund(world: World, { id }: PlacedOrder, share: number): void {
  readIssues(world, "open", (issues) => {
    const issue = choose(issues.filter(hasMoney), id);
    if (issue === undefined) return refundOrder(world, id, share);
    if (issue.order_id === null) return refundIssue(world, issue, share);
    const isNamed = issue.balance.unknown_amount || share < 0.7;
    refundOrder(world, issue.order_id, share, isNamed ? issue : undefined);
  });
}

const accountSchema = z.object({ ledger: ledgerSchema });
type Ledger = z.output<typeof ledgerSchema>;

function refundOrder(world: World, orderId: string, share: number, issue?: PaymentIssue): void {
  read(world, withId(paths.admin.order, orderId), accountSchema, ({ ledger }) => {
    const { refundable, grantable = 0 } = ledger;
    const isGranted = issue === undefined && refundable === 0 && grantable > 0;
    sendRefund(world, {
      path: withId(paths.admin.refunds, orderId),
      payload: isGranted
        ? { ...shareOf(grantable, share), ...grantOf(world, orderId, share) }
        : { ...amountOf(ledger, share, issue), ...(issue && { issue_id: issue.id }) },
      key: `${orderId}-${world.now}-${share}`,
    });
  });
}

/** Refunds money of a loan without an order. */
function refundIssue(world: World, issue: PaymentIssue, share: number): void {
  read(world, withId(paths.admin.paymentIssue, issue.id), accountSchema, ({ ledger }) =>
    sendRefund(world, {
      path: withId(paths.admin.issueRefunds, issue.id),
      payload: amountOf(ledger, share, issue),
      key: `${issue.id}-${world.now}-${share}`,
    }),
  );
}

function shareOf(cents: number, share: number) {
  return { amount: Math.max(1, Math.round(cents * share)) / 100, method: "bank transfer" };
}

function amountOf(ledger: Ledger, share: number, issue: PaymentIssue | undefined) {
  const currency = issue?.balance.currency ?? shopCurrency.code;
  const { refundable } = ledger.other_currencies.find((one) => one.currency === currency) ?? ledger;
  const max = issue?.balance.unknown_amount === true ? UNREPORTED_AMOUNT : refundable;
  return { ...shareOf(max, share), currency };
}

/** A granted refund, of a piece that is restocked or as goodwill. */
function grantOf(world: World, orderId: string, share: number) {
  if (share >= 0.6) return { grant: "goodwill" };
  const line = world.state.lines.find(({ order_id }) => order_id === orderId);
  return { grant: "return", lines: [{ item_id: line?.item_id, quantity: 1, restock: 1 }] };
}

interface SentRefund {
  readonly path: string;
  readonly payload: { readonly amount: number };
  readonly key: string;
}

/** Sends the request twice, which must record one refund. */
function sendRefund(world: World, { path, payload, key }: SentRefund): void {
  const ids = new Set<unknown>();
  const cents = Math.round(payload.amount * 100);
  const headers = { [idempotencyHeader]: `refund-${key}` };
  const request = { method: "POST", url: path, headers, payload } as const;
  const send = () =>
    asStaff(world, `refund, ${cents} cents, ${key.slice(0, 8)}`, request, ({ json }) => {
      const { id } = json();
      ids.add(id);
      if (ids.size > 1)
        world.fail("refund-recorded-twice", `one key has the refunds ${[...ids].join(" and ")}`);
      const stored = world.state.entries.filter(
        ({ kind, refund_id }) => kind === "refunded" && refund_id === id,
      );
      if (stored.length !== 1 || stored[0]?.amount !== cents)
        world.fail("acknowledged-refund-lost", `${stored.length} refunds ${id} are stored`);
    });
  send();
  world.after(REPEAT_DELAY, send);
}

/** Reverses the newest refund of the order, or else of any order. */
export function reverseRefund(world: World, { id }: PlacedOrder): void {
  const refunds = world.state.entries
    .filter(({ kind, order_id }) => kind === "refunded" && order_id !== null)
    .toReversed();
  const { refund_id: refundId, order_id: from } =
    refunds.find((entry) => entry.order_id === id) ?? refunds[0] ?? {};
  if (typeof refundId !== "string" || typeof from !== "string") return;
  const url = withId(paths.admin.refundReversal, from, refundId);
  const request = { method: "POST", url, payload: { reason: "It came back." } } as const;
  asStaff(world, `reverse refund ${refundId.slice(0, 8)}`, request, () => {
    const isStored = world.state.entries.some(
      (entry) => entry.kind === "refund-reversed" && entry.refund_id === refundId,
    );
    if (!isStored)
      world.fail("acknowledged-refund-lost", `the reversal of ${refundId} is not stored`);
  });
}

export function resolveIssue(world: World, { id }: PlacedOrder, share: number): void {
  readIssues(world, "open", (issues) => {
    const issue = choose(issues.filter(hasMoney), id) ?? choose(issues, id);
    if (issue === undefined) return;
    const kind = resolutions[Math.floor(share * 10) % resolutions.length] ?? "dismissed";
    const url = withId(paths.admin.resolution, issue.id);
    const request = { method: "POST", url, payload: { kind, note: "Done." } } as const;
    asStaff(world, `resolve ${issue.kind} as ${kind}`, request, () => {
      // Seen later, colleagues may have decided otherwise.
      if (world.seesEachCommit) checkResolved(world, issue, kind);
    });
  });
}

/** An acknowledged resolution is stored, unless the shop has reopened or resolved the issue since. */
function checkResolved(world: World, { id, loan_id }: PaymentIssue, resolution: string): void {
  const stored = world.state.issues.find((issue) => issue.id === id);
  const possible = [resolution, null, "refunded", "dismissed"];
  if (stored === undefined || !possible.includes(stored.resolution))
    world.fail(
      "acknowledged-resolution-lost",
      `${loan_id} is ${stored?.resolution}, not ${resolution}`,
    );
}

export function reopenIssue(world: World, { id }: PlacedOrder): void {
  readIssues(world, "resolved", (issues) => {
    const issue = choose(
      issues.filter(({ resolution }) => resolution?.by !== "shop"),
      id,
    );
    if (issue === undefined) return;
    const url = withId(paths.admin.reopening, issue.id);
    const request = { method: "POST", url, payload: { note: "A mistake." } } as const;
    asStaff(world, `reopen ${issue.kind}, ${issue.resolution?.kind}`, request);
  });
}
