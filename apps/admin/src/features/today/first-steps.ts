import {
  type CurrentSession,
  hasPermission,
  type Permission,
  type Today,
} from "@keepsats/protocol";

/** The name of a shop until its owner chooses one. */
const DEFAULT_NAME = "Keepsats";

/** Whether the shop has no orders yet. */
export function isNew({ orders_by_status }: Today): boolean {
  return orders_by_status.every(({ orders }) => orders === 0);
}

/** Whether the first steps are shown: until an order of the last days is paid. */
export function isBeginning(today: Today): boolean {
  return isNew(today) || today.order_to_payment.every(({ orders }) => orders === 0);
}

/** The open tasks of setting up a new shop that the role permits. */
export function firstSteps({ passkeys, shop_name, staff }: CurrentSession, hasItems: boolean) {
  const can = (permission: Permission) => hasPermission(staff.role, permission);
  const steps = [
    {
      isOpen: passkeys.length === 0,
      text: "Add a passkey",
      why: "to sign in without a new link each time",
      to: "/settings/sessions",
    },
    {
      isOpen: can("settings:manage") && shop_name === DEFAULT_NAME,
      text: "Name the shop",
      why: "and say how customers reach you",
      to: "/settings",
    },
    {
      isOpen: can("items:write") && !hasItems,
      text: "Add an item",
      why: "or import a file of items",
      to: "/items",
    },
    {
      isOpen: can("staff:manage"),
      text: "Invite staff",
      why: "if you do not run the shop alone",
      to: "/settings/staff",
    },
  ];
  return steps.filter(({ isOpen }) => isOpen).map(({ text, why, to }) => ({ text, why, to }));
}
