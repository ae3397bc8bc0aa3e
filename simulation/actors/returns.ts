import { openReturnStates, type StaffReturnState } from "@keepsats/domain";
import { adminOrderSchema, type OrderReturn, paths, withId } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { World } from "../world.ts";
import type { Action } from "./actions.ts";
import { type Customer, headersOf, orderOf, type PlacedOrder } from "./customers.ts";
import { sendRefund } from "./staff-money.ts";

/** What customers and staff do to the returns of an order. */
export function actOnReturns(
  world: World,
  customer: Customer,
  { action, share }: Extract<Action, { kind: "return" }>,
): void {
  const order = orderOf(customer);
  if (order === undefined) return;
  switch (action) {
    case "request": {
      const url = withId(paths.customerReturns, order.id);
      const payload = newReturn(world, order.id, share);
      return world.request(
        { method: "POST", url, headers: headersOf(order), payload },
        ({ statusCode }) => {
          world.note(`customer ${customer.number} requests a return: ${statusCode}`);
          if (statusCode === 200) expectReturn(world, order.id);
        },
      );
    }
    case "withdraw":
      return readReturns(world, order.id, (returns) => withdrawReturn(world, order, returns));
    case "open": {
      const url = withId(paths.admin.orderReturns, order.id);
      const payload = newReturn(world, order.id, share);
      return world.requestAsStaff({ method: "POST", url, payload }, ({ statusCode }) => {
        world.note(`staff: open a return, order ${order.id.slice(0, 8)}: ${statusCode}`);
        if (statusCode === 201) expectReturn(world, order.id);
      });
    }
    case "move":
      return readReturns(world, order.id, (returns) => moveReturn(world, order.id, returns, share));
    case "refund":
      return readReturns(world, order.id, (returns) => refundReturn(world, order.id, returns));
  }
}

/** A return of one piece, or above a share of 1 of more than were ordered. */
function newReturn(world: World, orderId: string, share: number) {
  const [line] = world.state.lines.filter(({ order_id }) => order_id === orderId);
  const quantity = share > 1 ? (line?.quantity ?? 0) + 1 : 1;
  return { lines: [{ item_id: line?.item_id ?? "", quantity }], reason: "It is too small." };
}

function expectReturn(world: World, orderId: string): void {
  if (!world.state.returns.some(({ order_id }) => order_id === orderId))
    world.fail("acknowledged-return-lost", `order ${orderId} has no return`);
}

/** @param onRead is not called if the shop does not answer */
function readReturns(
  world: World,
  orderId: string,
  onRead: (returns: readonly OrderReturn[]) => void,
): void {
  const url = withId(paths.admin.order, orderId);
  world.requestAsStaff({ method: "GET", url }, ({ statusCode, json }) => {
    if (statusCode !== 200) return;
    const { data } = z.safeDecode(z.pick(adminOrderSchema, { returns: true }), json());
    onRead(data?.returns ?? []);
  });
}

/** Withdraws a requested return. */
function withdrawReturn(world: World, order: PlacedOrder, returns: readonly OrderReturn[]): void {
  const found = returns.find(({ state }) => state === "requested");
  if (found === undefined) return;
  const url = withId(paths.returnWithdrawal, order.id, found.id);
  const request = { method: "POST", url, headers: headersOf(order), payload: {} } as const;
  world.request(request, ({ statusCode }) => {
    world.note(`a customer withdraws a return: ${statusCode}`);
    const state = world.state.returns.find(({ id }) => id === found.id)?.state;
    if (statusCode === 200 && state !== "withdrawn")
      world.fail("acknowledged-return-lost", `return ${found.id} is withdrawn, and ${state}`);
  });
}

function moveReturn(
  world: World,
  orderId: string,
  returns: readonly OrderReturn[],
  share: number,
): void {
  const found = returns.find(({ state }) => openReturnStates.some((open) => open === state));
  if (found === undefined) return;
  const to: StaffReturnState = share < 0.8 ? nextOf(found) : "declined";
  const url = withId(paths.admin.returnMoves, orderId, found.id);
  const payload = { to, expected_state: found.state };
  world.requestAsStaff({ method: "POST", url, payload }, ({ statusCode }) => {
    world.note(`staff: return ${found.state} becomes ${to}: ${statusCode}`);
    const before = world.state.returns.find(({ id }) => id === found.id)?.state;
    if (statusCode === 200 && before === found.state)
      world.fail("acknowledged-return-lost", `return ${found.id} is still ${found.state}`);
  });
}

/** The state of an open return that staff do not decline. */
function nextOf({ state }: OrderReturn): StaffReturnState {
  if (state === "requested") return "accepted";
  return state === "accepted" ? "received" : "completed";
}

/** Refunds a dollar of a received return. */
function refundReturn(world: World, orderId: string, returns: readonly OrderReturn[]): void {
  const found = returns.find(({ state }) => state === "received");
  if (found === undefined) return;
  const lines = found.lines.map((line) => ({ ...line, restock: line.quantity }));
  const payload = { amount: 1, method: "cash", grant: "return", lines, return_id: found.id };
  const path = withId(paths.admin.refunds, orderId);
  const key = `return-${found.id}`;
  sendRefund(world, { path, payload, cents: 100, key }, () => {
    const state = world.state.returns.find(({ id }) => id === found.id)?.state;
    if (state !== "refunded")
      world.fail("acknowledged-return-lost", `return ${found.id} is refunded, and ${state}`);
  });
}
