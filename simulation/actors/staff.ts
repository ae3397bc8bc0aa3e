import { paths, withId } from "@keepsats/protocol";
import type { World } from "../world.ts";
import type { PlacedOrder } from "./customers.ts";
import { asStaff } from "./requests.ts";

export function eraseOrder(world: World, { id }: PlacedOrder): void {
  const request = { method: "POST", url: withId(paths.admin.erasure, id) } as const;
  asStaff(world, `erase, order ${id.slice(0, 8)}`, request, () => {
    const order = world.state.orders.get(id);
    if (order?.customer_email !== "" || order.shipping_address.includes("London"))
      world.fail("not-erased", `order ${id} still has ${order?.customer_email}`);
  });
}

const moveDetails = {
  Shipped: {
    carrier: "DHL",
    tracking_number: "00340",
    tracking_url: "https://dhl.example/00340",
    despite_issue: true,
  },
  Delivered: {},
  Cancelled: { reason: "no longer wanted", message: "We are sorry." },
};

export function moveOrder(world: World, { id }: PlacedOrder, to: keyof typeof moveDetails): void {
  const url = withId(paths.admin.transitions, id);
  const request = { method: "POST", url, payload: { to, ...moveDetails[to] } } as const;
  asStaff(world, `move, order ${id.slice(0, 8)} to ${to}`, request, ({ json }) => {
    if (json().changed !== true) return;
    const events = world.state.orders.get(id)?.events ?? [];
    if (!events.some((event) => event.to_status === to && event.by === "staff"))
      world.fail("acknowledged-move-lost", `order ${id} has not become ${to}`);
  });
}
