import { textLink } from "@keepsats/ui/classes.ts";
import { createLazyComponent } from "@keepsats/ui/lazy-component.ts";
import { Link, Route, Routes } from "react-router";
import { Screen } from "../ui/screen.tsx";
import { PrintShell, Shell } from "./shell.tsx";

// Each screen is a chunk of its own, loaded when it is first opened.
export const signIn = createLazyComponent(() => import("../features/sign-in/sign-in-screen.tsx"));
const today = createLazyComponent(() => import("../features/today/today-screen.tsx"));
const orders = createLazyComponent(() => import("../features/orders/orders-screen.tsx"));
const order = createLazyComponent(() => import("../features/order/order-screen.tsx"));
const payments = createLazyComponent(() => import("../features/payments/payments-screen.tsx"));
const items = createLazyComponent(() => import("../features/items/items-screen.tsx"));
const settings = createLazyComponent(() => import("../features/settings/settings-screen.tsx"));
const print = createLazyComponent(() => import("../features/print/print-screen.tsx"));

export function Screens() {
  return (
    <Routes>
      <Route path="print" element={<PrintShell />}>
        <Route path="slips" element={<print.Component kind="slips" />} />
        <Route path="receipts" element={<print.Component kind="receipts" />} />
      </Route>
      <Route element={<Shell />}>
        <Route index element={<today.Component />} />
        <Route path="orders" element={<orders.Component />} />
        <Route path="orders/:id" element={<order.Component />} />
        <Route path="payments" element={<payments.Component />} />
        <Route path="items" element={<items.Component />} />
        <Route path="settings/*" element={<settings.Component />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}

function NotFound() {
  return (
    <Screen title="Not found">
      <p>
        This page does not exist.{" "}
        <Link to="/" className={textLink}>
          Go to Today
        </Link>
      </p>
    </Screen>
  );
}
