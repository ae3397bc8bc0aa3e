import { call } from "@keepsats/client";
import {
  type DeskSession,
  hasPermission,
  merchantItemsSchema,
  type Permission,
  paths,
  type Today,
} from "@keepsats/protocol";
import { queryOptions } from "@tanstack/react-query";

/** What somebody does first in a new shop. */
export interface FirstStep {
  readonly text: string;
  readonly why: string;
  readonly to: string;
}

/** The name of a shop that nobody has named. */
const UNNAMED = "Keepsats";

/** Whether no order was ever placed. */
export function isNew({ orders_by_status }: Today): boolean {
  return orders_by_status.every(({ orders }) => orders === 0);
}

/** Whether no order of the last days was paid: until then the open first steps are shown. */
export function isBeginning(today: Today): boolean {
  return isNew(today) || today.order_to_payment.every(({ orders }) => orders === 0);
}

/** The open first steps that the role can do. */
export function firstSteps(
  { passkeys, shop_name, staff }: DeskSession,
  hasItems: boolean,
): readonly FirstStep[] {
  const can = (permission: Permission) => hasPermission(staff.role, permission);
  const steps: readonly (FirstStep & { readonly isOpen: boolean })[] = [
    {
      isOpen: passkeys.length === 0,
      text: "Add a passkey",
      why: "to sign in without a new link each time",
      to: "/settings/sessions",
    },
    {
      isOpen: can("settings:manage") && shop_name === UNNAMED,
      text: "Name the shop",
      why: "and say how shoppers reach you",
      to: "/settings",
    },
    {
      isOpen: can("items:write") && !hasItems,
      text: "Add an item",
      why: "or import a table of them",
      to: "/items",
    },
    {
      isOpen: can("staff:manage"),
      text: "Invite staff",
      why: "if you are not alone",
      to: "/settings/staff",
    },
  ];
  return steps.filter(({ isOpen }) => isOpen).map(({ text, why, to }) => ({ text, why, to }));
}

/** Whether the shop has an item. */
export const hasItemsQuery = queryOptions({
  queryKey: ["has items"],
  meta: { topics: ["items"] },
  queryFn: async ({ signal }) => {
    const path = paths.merchant.items;
    return (await call({ path, answer: merchantItemsSchema, signal })).items.length > 0;
  },
});
