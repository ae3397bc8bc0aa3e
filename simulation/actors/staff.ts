import { paths, withId } from "@keepsats/protocol";
import { anAddress } from "../../test/harness/builders.ts";
import { checkList } from "../invariants/state.ts";
import type { Answer, World } from "../world.ts";
import type { Action } from "./actions.ts";
import { type Customer, orderOf } from "./customers.ts";
import { refund, reopenIssue, resolveIssue, reverseRefund } from "./staff-money.ts";

/** An action of staff that is possible in any status. */
export function actOnOrder(
  world: World,
  customer: Customer,
  { action, share }: Extract<Action, { kind: "staff-act" }>,
): void {
  const order = orderOf(customer);
  if (order === undefined) return;
  const { id } = order;
  const note = ({ statusCode }: Answer) =>
    world.note(`staff: ${action}, order ${id.slice(0, 8)}: ${statusCode}`);
  switch (action) {
    case "note": {
      const payload = { text: "Seen." };
      const url = withId(paths.admin.notes, id);
      return world.requestAsStaff({ method: "POST", url, payload }, note);
    }
    case "correct-address": {
      const payload = { shipping_address: anAddress({ city: `City of staff ${share}` }) };
      const url = withId(paths.admin.order, id);
      return world.requestAsStaff({ method: "PATCH", url, payload }, note);
    }
    case "correct-tracking": {
      const payload = { tracking_number: `T${share}` };
      const url = withId(paths.admin.order, id);
      return world.requestAsStaff({ method: "PATCH", url, payload }, note);
    }
    case "refund":
      return refund(world, id, share);
    case "reverse-refund":
      return reverseRefund(world, id);
    case "resolve":
      return resolveIssue(world, id, share);
    case "reopen":
      return reopenIssue(world, id);
    case "erase":
      return eraseOrder(world, id);
  }
}

function eraseOrder(world: World, id: string): void {
  world.requestAsStaff(
    { method: "POST", url: withId(paths.admin.erasure, id) },
    ({ statusCode }) => {
      world.note(`staff: erase, order ${id.slice(0, 8)}: ${statusCode}`);
      const order = world.state.orders.get(id);
      if (
        statusCode === 200 &&
        (order?.customer_email !== "" || /London|City/.test(order.shipping_address))
      )
        world.fail("not-erased", `order ${id} still has ${order?.customer_email}`);
    },
  );
}

export function readOrder(world: World, customer: Customer): void {
  const order = orderOf(customer);
  if (order === undefined) return;
  const url = withId(paths.admin.order, order.id);
  world.requestAsStaff({ method: "GET", url }, ({ statusCode, json }) => {
    if (statusCode !== 200)
      return world.fail("order-not-found", `order ${order.id} was answered ${statusCode}`);
    customer.readByStaff = json().status;
    world.note(`staff: read, order ${order.id.slice(0, 8)}: ${customer.readByStaff}`);
  });
}

const moveDetails = {
  Shipped: { carrier: "DHL", tracking_number: "00340", tracking_url: "https://dhl.example/00340" },
  Delivered: {},
  Cancelled: { reason: "no longer wanted", message: "We are sorry." },
};

export function moveOrder(
  world: World,
  customer: Customer,
  { to, careful }: Extract<Action, { kind: "staff-move" }>,
): void {
  const order = orderOf(customer);
  if (order === undefined) return;
  const expected = careful ? customer.readByStaff : undefined;
  const payload = {
    to,
    ...(expected && { expected_status: expected }),
    ...(to === "Shipped" && !careful ? { despite_issue: true } : {}),
    ...moveDetails[to],
  };
  const url = withId(paths.admin.transitions, order.id);
  world.requestAsStaff({ method: "POST", url, payload }, ({ statusCode, json }) => {
    world.note(
      `staff: move, order ${order.id.slice(0, 8)} to ${to}, expected ${expected}: ${statusCode}`,
    );
    if (statusCode !== 200 || json().changed !== true) return;
    const events = world.state.orders.get(order.id)?.events;
    const move = events?.findLast((event) => event.to_status === to && event.by === "staff");
    if (move === undefined)
      world.fail("acknowledged-move-lost", `order ${order.id} has not become ${to}`);
    else if (expected !== undefined && move.from_status !== expected)
      world.fail(
        "unexpected-status",
        `order ${order.id} was ${move.from_status} and became ${to}, although staff expected ${expected}`,
      );
  });
}

/** Once the request is answered, the shop's list must show the change. */
export function editItem(
  world: World,
  { item: index, cents, hidden }: Extract<Action, { kind: "edit-item" }>,
): void {
  const { items } = world.state;
  const item = items[index % items.length];
  if (item === undefined) return;
  const url = withId(paths.admin.item, item.id);
  // At least one item stays on sale for the customers.
  const payload = { price: cents / 100, hidden: hidden && index > 3 };
  world.requestAsStaff({ method: "PATCH", url, payload }, ({ statusCode }) => {
    world.note(`staff: edit, item ${item.id}: ${statusCode}`);
    if (statusCode === 200) checkList(world);
  });
}
