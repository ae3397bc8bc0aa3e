import { paths, withId } from "@keepsats/protocol";
import { anAddress } from "../test/harness/builders.ts";
import { orderOf, type Person } from "./people.ts";
import type { Action } from "./plan.ts";
import { checkForgotten } from "./search-invariants.ts";
import { type ShopRequest, STAFF } from "./shop.ts";
import type { World } from "./world.ts";

type Answer = { readonly statusCode: number; readonly json: () => unknown };

/** Sends a request of the staff about an order. */
function ask(
  world: World,
  request: Omit<ShopRequest, "headers">,
  onAnswer: (answer: Answer) => void,
): void {
  world.shop?.request({ ...request, headers: STAFF }, onAnswer);
}

/** What the staff does to an order at any time, whatever its status is. */
export function treat(
  world: World,
  person: Person,
  { how, share }: Extract<Action, { kind: "treat" }>,
): void {
  const order = orderOf(person);
  if (order === undefined) return;
  const { id } = order;
  const said = (statusCode: number) =>
    world.note(`the staff ${how}s order ${id.slice(0, 8)}: ${statusCode}`);
  switch (how) {
    case "note":
      return ask(
        world,
        { method: "POST", url: withId(paths.merchant.notes, id), payload: { text: "Seen." } },
        (answer) => said(answer.statusCode),
      );
    case "correct": {
      const shipping_address = anAddress({ city: `City of staff ${share}` });
      return ask(
        world,
        { method: "PATCH", url: withId(paths.merchant.order, id), payload: { shipping_address } },
        (answer) => said(answer.statusCode),
      );
    }
    case "track": {
      const payload = { tracking_number: `T${share}` };
      return ask(
        world,
        { method: "PATCH", url: withId(paths.merchant.order, id), payload },
        (answer) => said(answer.statusCode),
      );
    }
    case "refund":
      return refund(world, id, share);
    case "resolve":
      return resolve(world, id, share);
    case "erase":
      return erase(world, person, id);
  }
}

/**
 * The staff reads the refundable amount, and later records a share of it; a share above 1 is too
 * much.
 */
function refund(world: World, id: string, share: number): void {
  ask(world, { method: "GET", url: withId(paths.merchant.order, id) }, ({ statusCode, json }) => {
    if (statusCode !== 200) return;
    const refundable = Math.round(
      Number(Reflect.get(Object(Reflect.get(Object(json()), "ledger")), "refundable")) * 100,
    );
    const cents = Math.max(1, Math.round(refundable * share));
    const payload = { amount: cents / 100, method: "bank transfer" };
    const url = withId(paths.merchant.refunds, id);
    ask(world, { method: "POST", url, payload }, (answer) => {
      world.note(
        `the staff refunds ${cents} of ${refundable} cents for ${id.slice(0, 8)}: ${answer.statusCode}`,
      );
      if (answer.statusCode !== 201) return;
      const refundId = Reflect.get(Object(answer.json()), "id");
      if (!world.state.refunds.some((one) => one.id === refundId && one.cents === cents))
        world.fail(
          "acknowledged-refund-lost",
          `the refund of ${cents} cents for ${id} is not stored`,
        );
    });
  });
}

const resolutions = ["refunded", "accepted", "dismissed"] as const;

/** The staff resolves the first open payment issue of an order. */
function resolve(world: World, orderId: string, share: number): void {
  ask(
    world,
    { method: "GET", url: `${paths.merchant.paymentIssues}?state=open` },
    ({ statusCode, json }) => {
      if (statusCode !== 200) return;
      const listed: unknown = Reflect.get(Object(json()), "payment_issues");
      const all: readonly unknown[] = Array.isArray(listed) ? listed : [];
      const issue = Object(all.find((one) => Reflect.get(Object(one), "order_id") === orderId));
      const issueId: unknown = Reflect.get(issue, "id");
      if (typeof issueId !== "string") return;
      const kind = resolutions[Math.floor(share * 10) % resolutions.length] ?? "dismissed";
      const url = withId(paths.merchant.resolution, issueId);
      ask(world, { method: "POST", url, payload: { kind, note: "Seen to." } }, (answer) => {
        world.note(
          `the staff resolves ${Reflect.get(issue, "kind")} of ${orderId.slice(0, 8)} as ${kind}: ${answer.statusCode}`,
        );
        if (answer.statusCode === 200) checkResolved(world, issue, kind);
      });
    },
  );
}

/** An acknowledged resolution is stored, unless the payment issue was opened again since. */
function checkResolved(world: World, issue: object, resolution: string): void {
  const [loanId, orderId, kind] = ["loan_id", "order_id", "kind"].map((name) =>
    Reflect.get(issue, name),
  );
  const stored = world.state.issues.find(
    (one) => one.loanId === loanId && one.orderId === orderId && one.kind === kind,
  );
  if (stored === undefined || (stored.resolution !== null && stored.resolution !== resolution))
    world.fail(
      "acknowledged-resolution-lost",
      `${loanId} is ${stored?.resolution}, not ${resolution}`,
    );
}

/** The staff erases the personal data of an order. */
function erase(world: World, person: Person, id: string): void {
  ask(world, { method: "POST", url: withId(paths.merchant.erasure, id) }, ({ statusCode }) => {
    world.note(`the staff erases order ${id.slice(0, 8)}: ${statusCode}`);
    const order = world.state.orders.get(id);
    if (statusCode === 200 && (order?.email !== "" || /London|City/.test(order.shippingAddress)))
      world.fail("not-erased", `order ${id} still has ${order?.email}`);
    const purchase = person.purchases.find(({ placed }) => placed?.id === id);
    if (statusCode === 200 && purchase !== undefined) checkForgotten(world, purchase);
  });
}
