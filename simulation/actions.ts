import { paths, withId } from "@keepsats/protocol";
import type { Following } from "./follower.ts";
import { cancelOwn, correctOwn } from "./own-order.ts";
import { Page } from "./page.ts";
import { buy, orderOf, type People, type Person, personOf } from "./people.ts";
import type { Action, Cheat, Deal, FollowedBy } from "./plan.ts";
import type { Loan } from "./provider.ts";
import { STAFF } from "./shop.ts";
import { treat } from "./staff.ts";
import type { World } from "./world.ts";

/** Executes an action. An action that is impossible by now is skipped. */
export function act(world: World, people: People, action: Action): void {
  switch (action.kind) {
    case "buy": {
      const items = world.committed.items().filter(({ hidden }) => !hidden);
      const ids = action.items.flatMap((place) => items[place % items.length]?.id ?? []);
      return buy(world, personOf(people, action.shopper), ids, action.twice);
    }
    case "borrow":
      return borrow(world, personOf(people, action.shopper), action.deal);
    case "follow":
      return openPage(world, personOf(people, action.shopper), action.by);
    case "leave":
      return personOf(people, action.shopper).page?.leave();
    case "cheat":
      return cheat(
        world,
        personOf(people, action.shopper),
        personOf(people, action.victim),
        action.how,
      );
    case "loan":
      return moveLoan(world, people, action);
    case "mood":
      world.note(`the provider is ${action.mood} for ${action.lasts} ms`);
      return world.setMood(action.mood, action.lasts);
    case "receivers":
      world.note(`the receivers are ${action.mood} for ${action.lasts} ms`);
      return world.receiver.setMood(action.mood, action.lasts);
    case "cancel":
      return cancelOwn(world, personOf(people, action.shopper));
    case "correct":
      return correctOwn(world, personOf(people, action.shopper));
    case "treat":
      return treat(world, personOf(people, action.shopper), action);
    case "look":
      return look(world, personOf(people, action.shopper));
    case "move":
      return moveOrder(world, personOf(people, action.shopper), action);
    case "price":
      return editItem(world, action);
    case "crash":
      return world.host.killAfter(action.afterQueries, action.down);
    case "stop":
      world.host.want("closed");
      return world.after(action.down, () => world.host.want("open"));
    case "clock":
      world.note(`the machine's clock jumps by ${action.by} ms`);
      return world.time.jump(action.by);
  }
}

function borrow(world: World, person: Person, deal: Deal): void {
  const order = orderOf(person);
  if (order === undefined) return;
  const id = `loan-${person.number}-${person.loans.length}`;
  person.loans.push(id);
  world.provider.lend(id, order, deal);
  world.note(`s${person.number} asks for ${id} (${deal}) for order ${order.id.slice(0, 8)}`);
}

function openPage(world: World, person: Person, by: FollowedBy): void {
  const order = orderOf(person);
  const loanId = by === "key" ? undefined : person.loans.at(-1);
  const key = by === "loan" ? undefined : order?.key;
  if (order === undefined || (loanId === undefined && key === undefined)) return;
  present(world, person, { orderId: order.id, loanId, key });
}

function present(world: World, person: Person, following: Following): void {
  person.page?.leave();
  world.note(
    `s${person.number} follows ${following.orderId.slice(0, 8)} with ${following.loanId ?? "the key"}`,
  );
  const isOwner =
    orderOf(person)?.id === following.orderId && following.key === orderOf(person)?.key;
  person.page = new Page(world, `s${person.number}'s page`, following, isOwner);
}

function cheat(world: World, person: Person, victim: Person, how: Cheat): void {
  const own = orderOf(person);
  const theirs = orderOf(victim);
  const loanId = victim.loans.at(-1) ?? "loan-made-up";
  if (own === undefined || theirs === undefined) return;
  switch (how) {
    case "reuse":
      return present(world, person, { orderId: own.id, loanId, key: own.key });
    case "peek":
      return present(world, person, {
        orderId: theirs.id,
        loanId: person.loans.at(-1) ?? "x",
        key: undefined,
      });
    case "made-up":
      return present(world, person, { orderId: own.id, loanId: "loan-made-up", key: own.key });
    case "wrong-key":
      return present(world, person, { orderId: theirs.id, loanId, key: own.key });
    case "name-in-loan":
      // A loan of the cheat that names another shopper's order.
      person.loans.push(`loan-${person.number}-${person.loans.length}`);
      world.provider.lend(person.loans.at(-1) ?? "", { id: theirs.id, total: 100 }, "right");
      return present(world, person, {
        orderId: theirs.id,
        loanId: person.loans.at(-1) ?? "",
        key: undefined,
      });
  }
}

function moveLoan(
  world: World,
  people: People,
  { shopper, move }: Extract<Action, { kind: "loan" }>,
): void {
  const person = personOf(people, shopper);
  const loan = world.provider.loans.get(person.loans.at(-1) ?? "");
  if (loan === undefined) return;
  if (move === "extend") return extend(world, person, loan);
  const other = orderOf(people.get(shopper - 1))?.id ?? "";
  const became = world.provider.move(loan, move, other);
  if (became !== undefined) world.note(`${loan.id} becomes ${became}`);
}

/** How long after an extension its loan is marked, in milliseconds. */
const MARKED_AFTER = 4_000;

/** The provider stores an extension, and marks the earlier loan some seconds later. */
function extend(world: World, person: Person, loan: Loan): void {
  const extension = world.provider.extend(loan);
  if (extension === undefined) return;
  world.note(`${extension.id} extends ${loan.id}`);
  person.loans.push(extension.id);
  world.after(MARKED_AFTER, () => {
    world.provider.mark(loan);
    world.note(`${loan.id} becomes ${loan.status}`);
  });
}

/** The staff reads an order. */
function look(world: World, person: Person): void {
  const order = orderOf(person);
  const { shop } = world;
  if (order === undefined || shop === undefined) return;
  shop.request(
    { method: "GET", url: withId(paths.merchant.order, order.id), headers: STAFF },
    (answer) => {
      if (answer.statusCode !== 200)
        return world.fail("order-not-found", `order ${order.id} was answered ${answer.statusCode}`);
      person.seenByStaff = answer.json().status;
      world.note(`the staff sees order ${order.id.slice(0, 8)}: ${person.seenByStaff}`);
    },
  );
}

const details = {
  Shipped: { carrier: "DHL", tracking_number: "00340", tracking_url: "https://dhl.example/00340" },
  Delivered: {},
  Cancelled: { reason: "no longer wanted", message: "We are sorry." },
};

/** The staff moves an order from the status that they have seen. */
function moveOrder(
  world: World,
  person: Person,
  { to, careful }: Extract<Action, { kind: "move" }>,
): void {
  const order = orderOf(person);
  const { shop } = world;
  if (order === undefined || shop === undefined) return;
  const expected = careful ? person.seenByStaff : undefined;
  const payload = {
    to,
    ...(expected && { expected_status: expected }),
    ...(to === "Shipped" && !careful ? { despite_issue: true } : {}),
    ...details[to],
  };
  const url = withId(paths.merchant.transitions, order.id);
  shop.request({ method: "POST", url, headers: STAFF, payload }, ({ statusCode, json }) => {
    world.note(
      `the staff moves order ${order.id.slice(0, 8)} to ${to}, expecting ${expected}: ${statusCode}`,
    );
    if (statusCode !== 200 || json().changed !== true) return;
    const events = world.state.orders.get(order.id)?.events;
    const made = events?.findLast((event) => event.to === to && event.by === "merchant");
    if (made === undefined)
      world.fail("acknowledged-move-lost", `order ${order.id} has not become ${to}`);
    else if (expected !== undefined && made.from !== expected)
      world.fail(
        "unexpected-status",
        `order ${order.id} was ${made.from} and became ${to}, although the staff had seen ${expected}`,
      );
  });
}

/**
 * The staff changes an item. When the request is answered, the shop's list must show the change.
 */
function editItem(
  world: World,
  { item: place, cents, hidden }: Extract<Action, { kind: "price" }>,
): void {
  const items = world.committed.items();
  const item = items[place % items.length];
  const { shop } = world;
  if (item === undefined || shop === undefined) return;
  const url = withId(paths.merchant.item, item.id);
  // At least one item stays on sale for the shoppers.
  const payload = { price: cents / 100, hidden: hidden && place > 3 };
  shop.request({ method: "PATCH", url, headers: STAFF, payload }, ({ statusCode }) => {
    world.note(`the staff changes ${item.id}: ${statusCode}`);
    if (statusCode === 200) checkList(world);
  });
}

/** Checks that the shop lists exactly the committed items. */
export function checkList(world: World): void {
  const { shop } = world;
  if (shop === undefined) return;
  shop.request({ method: "GET", url: paths.items }, ({ statusCode, body }) => {
    const shown: { id: string; price: number }[] = statusCode === 200 ? JSON.parse(body) : [];
    const there = world.committed.items().filter(({ hidden }) => !hidden);
    const list = (items: readonly { id: string; cents: number }[]) =>
      items.map(({ id, cents }) => `${id} ${cents}`).join(", ");
    const seen = list(shown.map(({ id, price }) => ({ id, cents: Math.round(price * 100) })));
    const expected = list(there.map(({ id, price }) => ({ id, cents: price })));
    if (seen !== expected)
      world.fail("old-catalogue", `the list shows ${seen}; stored are ${expected}`);
  });
}
