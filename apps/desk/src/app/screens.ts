import { createLazyComponent } from "@keepsats/ui/lazy-component.ts";

/** Each screen is a chunk of its own, which is loaded when it is opened first. */
export const signIn = createLazyComponent(() => import("../features/sign-in/sign-in-screen.tsx"));
export const today = createLazyComponent(() => import("../features/today/today-screen.tsx"));
export const orders = createLazyComponent(() => import("../features/orders/orders-screen.tsx"));
export const order = createLazyComponent(() => import("../features/order/order-screen.tsx"));
export const payments = createLazyComponent(
  () => import("../features/payments/payments-screen.tsx"),
);
export const items = createLazyComponent(() => import("../features/items/items-screen.tsx"));
export const settings = createLazyComponent(
  () => import("../features/settings/settings-screen.tsx"),
);
export const slips = createLazyComponent(() => import("../features/print/slips-screen.tsx"));
export const receipts = createLazyComponent(() => import("../features/print/receipts-screen.tsx"));
