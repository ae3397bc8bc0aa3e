import { shopCurrency } from "@keepsats/domain";
import {
  idempotencyHeader,
  ledgerSchema,
  orderLineSchema,
  type PaymentIssue,
  paths,
  paymentIssuesSchema,
  resolutions,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { World } from "../world.ts";

/** A refund is sent again after this time with its key, as after a lost answer, in milliseconds. */
const REPEAT_DELAY = 2_500;
/** The actual amount of a payout whose amount the provider does not report, in cents. */
const UNREPORTED_AMOUNT = 4_500;

/** Refunds a share of the refundable amount; a share above 1 is too much. */
export function refund(world: World, orderId: string, share: number): void {
  readIssues(world, "open", (issues) => {
    const withMoney = issues.filter(({ open_amount }) => open_amount !== 0);
    const issue = choose(withMoney, orderId);
    if (issue === undefined) return refundAccount(world, { orderId, issue, share });
    const isNamed = issue.order_id === null || issue.balance.unknown_amount || share < 0.7;
    const account = { orderId: issue.order_id ?? undefined, share };
    refundAccount(world, { ...account, issue: isNamed ? issue : undefined });
  });
}

interface AccountRefund {
  /** `undefined` for the money of a loan without an order, which has a payment issue. */
  readonly orderId: string | undefined;
  readonly issue: PaymentIssue | undefined;
  readonly share: number;
}

function refundAccount(world: World, { orderId, issue, share }: AccountRefund): void {
  const url =
    orderId === undefined
      ? withId(paths.admin.paymentIssue, issue?.id ?? "")
      : withId(paths.admin.order, orderId);
  world.requestAsStaff({ method: "GET", url }, ({ statusCode, json }) => {
    const body = Object(Reflect.get(Object(json()), "ledger"));
    const { data: ledger } = z.safeDecode(ledgerSchema, body);
    if (statusCode !== 200 || ledger === undefined) return;
    const { grantable = 0 } = ledger;
    const isDue = issue !== undefined || ledger.refundable > 0;
    if (orderId !== undefined && !isDue && grantable > 0)
      return grantRefund(world, orderId, { order: Object(json()), grantable, share });
    const currency = issue?.balance.currency ?? shopCurrency.code;
    const { refundable } =
      ledger.other_currencies.find((one) => one.currency === currency) ?? ledger;
    const max = issue?.balance.unknown_amount === true ? UNREPORTED_AMOUNT : refundable;
    const cents = Math.max(1, Math.round(max * share));
    const named = orderId === undefined || issue === undefined ? {} : { issue_id: issue.id };
    const payload = { amount: cents / 100, currency, method: "bank transfer", ...named };
    const key = `refund-${issue?.id ?? orderId}-${world.now}-${share}`;
    const path =
      orderId === undefined
        ? withId(paths.admin.issueRefunds, issue?.id ?? "")
        : withId(paths.admin.refunds, orderId);
    sendRefund(world, { path, payload, cents, key });
  });
}

interface PaidOrder {
  readonly order: object;
  /** In cents. */
  readonly grantable: number;
  readonly share: number;
}

/** Grants a share of the price, for a piece that is restocked or as goodwill. */
function grantRefund(world: World, orderId: string, { order, grantable, share }: PaidOrder): void {
  const cents = Math.max(1, Math.round(grantable * share));
  const [item] = z.decode(z.array(orderLineSchema), Reflect.get(order, "items"));
  const grant =
    share < 0.6
      ? { grant: "return", lines: [{ item_id: item?.id, quantity: 1, restock: 1 }] }
      : { grant: "goodwill" };
  sendRefund(world, {
    path: withId(paths.admin.refunds, orderId),
    payload: { amount: cents / 100, method: "bank transfer", ...grant },
    cents,
    key: `grant-${orderId}-${world.now}-${share}`,
  });
}

interface SentRefund {
  readonly path: string;
  readonly payload: object;
  readonly cents: number;
  readonly key: string;
}

/**
 * The request is sent twice, and must record one refund.
 *
 * @param onRecorded is called for each answer that acknowledges the refund
 */
export function sendRefund(
  world: World,
  { path, payload, cents, key }: SentRefund,
  onRecorded = () => {},
): void {
  const ids = new Set<unknown>();
  const headers = { [idempotencyHeader]: key };
  const send = () =>
    world.requestAsStaff(
      { method: "POST", url: path, headers, payload },
      ({ statusCode, json }) => {
        world.note(`staff: refund, ${cents} cents, ${key.slice(0, 15)}: ${statusCode}`);
        if (statusCode !== 201) return;
        const id: unknown = Reflect.get(Object(json()), "id");
        ids.add(id);
        if (ids.size > 1)
          world.fail("refund-recorded-twice", `one key has the refunds ${[...ids].join(" and ")}`);
        const stored = world.state.entries.filter(
          ({ kind, refund_id }) => kind === "refunded" && refund_id === id,
        );
        if (stored.length !== 1 || stored[0]?.amount !== cents)
          world.fail("acknowledged-refund-lost", `${stored.length} refunds ${id} are stored`);
        onRecorded();
      },
    );
  send();
  world.after(REPEAT_DELAY, send);
}

/** Reverses the newest refund of the order, or else of any order. */
export function reverseRefund(world: World, orderId: string): void {
  const refunds = world.state.entries.filter(({ kind }) => kind === "refunded").toReversed();
  const refund =
    refunds.find((entry) => entry.order_id === orderId) ??
    refunds.find((entry) => entry.order_id !== null);
  const { refund_id: refundId, order_id: from } = refund ?? {};
  if (typeof refundId !== "string" || typeof from !== "string") return;
  const url = withId(paths.admin.refundReversal, from, refundId);
  world.requestAsStaff(
    { method: "POST", url, payload: { reason: "It came back." } },
    ({ statusCode }) => {
      world.note(`staff: reverse refund ${refundId.slice(0, 8)}: ${statusCode}`);
      const isStored = world.state.entries.some(
        (entry) => entry.kind === "refund-reversed" && entry.refund_id === refundId,
      );
      if (statusCode === 201 && !isStored)
        world.fail("acknowledged-refund-lost", `the reversal of ${refundId} is not stored`);
    },
  );
}

/** @param onRead is not called if the shop does not answer */
function readIssues(
  world: World,
  state: "open" | "resolved",
  onRead: (issues: readonly PaymentIssue[]) => void,
): void {
  const url = `${paths.admin.paymentIssues}?state=${state}`;
  world.requestAsStaff({ method: "GET", url }, ({ statusCode, json }) => {
    if (statusCode !== 200) return;
    const { data, error } = z.safeDecode(paymentIssuesSchema, Object(json()));
    if (error === undefined) onRead(data.payment_issues);
    else world.fail("issues-wrong", error.message);
  });
}

/** The first payment issue of the order, or else the first one. */
function choose(issues: readonly PaymentIssue[], orderId: string): PaymentIssue | undefined {
  return issues.find((issue) => issue.order_id === orderId) ?? issues[0];
}

export function resolveIssue(world: World, orderId: string, share: number): void {
  readIssues(world, "open", (issues) => {
    const withMoney = issues.filter(({ open_amount }) => open_amount !== 0);
    const issue = choose(withMoney, orderId) ?? choose(issues, orderId);
    if (issue === undefined) return;
    const kind = resolutions[Math.floor(share * 10) % resolutions.length] ?? "dismissed";
    const url = withId(paths.admin.resolution, issue.id);
    world.requestAsStaff(
      { method: "POST", url, payload: { kind, note: "Done." } },
      ({ statusCode }) => {
        world.note(`staff: resolve ${issue.kind} as ${kind}: ${statusCode}`);
        // Seen later, colleagues may have decided otherwise.
        if (statusCode === 200 && world.seesEachCommit) checkResolved(world, issue, kind);
      },
    );
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

export function reopenIssue(world: World, orderId: string): void {
  readIssues(world, "resolved", (issues) => {
    const byStaff = issues.filter(({ resolution }) => resolution?.by !== "shop");
    const issue = choose(byStaff, orderId);
    if (issue === undefined) return;
    const url = withId(paths.admin.reopening, issue.id);
    world.requestAsStaff(
      { method: "POST", url, payload: { note: "A mistake." } },
      ({ statusCode }) =>
        world.note(`staff: reopen ${issue.kind}, ${issue.resolution?.kind}: ${statusCode}`),
    );
  });
}
