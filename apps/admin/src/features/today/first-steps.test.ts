import type { CurrentSession } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { firstSteps, isBeginning, isNew } from "./first-steps.ts";
import { buildToday } from "./today.test-data.ts";

function buildSession(part: Partial<CurrentSession> = {}): CurrentSession {
  return {
    id: "s",
    staff: { id: "a", name: "Ada", email: null, role: "owner" },
    passkeys: [],
    shop_name: "Keepsats",
    shop_url: "https://shop.example",
    shop_contact: null,
    shop_logo: null,
    ...part,
  };
}

const stepsOf = (session: CurrentSession, hasItems = false) =>
  firstSteps(session, hasItems).map(({ text }) => text);

test("the first steps of an owner are a passkey, the name, an item and staff", () => {
  expect(stepsOf(buildSession())).toEqual([
    "Add a passkey",
    "Name the shop",
    "Add an item",
    "Invite staff",
  ]);
  expect(firstSteps(buildSession(), false).map(({ to }) => to)).toEqual([
    "/settings/sessions",
    "/settings",
    "/items",
    "/settings/staff",
  ]);
});

test("completed steps are not listed", () => {
  const passkeys = [{ id: "p", name: "Mac", created_at: 0, used_at: null }];
  expect(stepsOf(buildSession({ passkeys, shop_name: "Ada's beans" }))).toEqual([
    "Add an item",
    "Invite staff",
  ]);
  expect(stepsOf(buildSession({ passkeys, shop_name: "Ada's beans" }), true)).toEqual([
    "Invite staff",
  ]);
});

test("staff are not offered steps that only owners can do", () => {
  const staff = { id: "b", name: "Ben", email: null, role: "staff" } as const;
  expect(stepsOf(buildSession({ staff }))).toEqual(["Add a passkey", "Add an item"]);
});

test("a shop is new until its first order", () => {
  const none = [{ status: "Pending", orders: 0 }];
  expect(isNew(buildToday({ orders_by_status: none }))).toBe(true);
  expect(isNew(buildToday({ orders_by_status: [...none, { status: "Lost", orders: 1 }] }))).toBe(
    false,
  );
});

test("the first steps are listed until the first order is paid", () => {
  const orders_by_status = [{ status: "Pending", orders: 1 }];
  const unpaid = buildToday({
    orders_by_status,
    order_to_payment: [{ within: 60_000, orders: 0 }],
  });
  expect(isBeginning(unpaid)).toBe(true);
  expect(isBeginning({ ...unpaid, order_to_payment: [{ within: 60_000, orders: 1 }] })).toBe(false);
  expect(isBeginning(buildToday())).toBe(true);
});
