import { hasPermission } from "@keepsats/protocol";
import { textLink } from "@keepsats/ui/classes.ts";
import { createLazyComponent } from "@keepsats/ui/lazy-component.ts";
import { Link, Navigate, Route, Routes } from "react-router";
import { useSession } from "../lib/session.ts";
import { PermittedScreen } from "../ui/permitted.tsx";
import { Screen } from "../ui/screen.tsx";
import { PrintShell, Shell } from "./shell.tsx";

// Each screen is a chunk of its own, loaded when it is first opened.
export const signIn = createLazyComponent(() => import("../features/sign-in/sign-in-screen.tsx"));
const today = createLazyComponent(() => import("../features/today/today-screen.tsx"));
const orders = createLazyComponent(() => import("../features/orders/orders-screen.tsx"));
const order = createLazyComponent(() => import("../features/order/order-screen.tsx"));
const returns = createLazyComponent(() => import("../features/returns/returns-screen.tsx"));
const payments = createLazyComponent(() => import("../features/payments/payments-screen.tsx"));
const books = createLazyComponent(() => import("../features/books/books-screen.tsx"));
const items = createLazyComponent(() => import("../features/items/items-screen.tsx"));
const settings = createLazyComponent(() => import("../features/settings/settings-screen.tsx"));
const print = createLazyComponent(() => import("../features/print/print-screen.tsx"));

export function Screens() {
  return (
    <Routes>
      <Route path="print" element={<PrintShell />}>
        <Route path="slips" element={<print.Component kind="slips" />} />
        <Route
          path="receipts"
          element={
            <PermittedScreen title="Receipts" permission="payments:read" action="see receipts">
              <print.Component kind="receipts" />
            </PermittedScreen>
          }
        />
      </Route>
      <Route element={<Shell />}>
        <Route index element={<Home />} />
        <Route path="orders" element={<orders.Component />} />
        <Route path="orders/:id" element={<order.Component />} />
        <Route
          path="returns"
          element={
            <PermittedScreen title="Open returns" permission="orders:read" action="see returns">
              <returns.Component />
            </PermittedScreen>
          }
        />
        <Route
          path="payments"
          element={
            <PermittedScreen title="Payments" permission="payments:read" action="see payments">
              <payments.Component />
            </PermittedScreen>
          }
        />
        <Route
          path="books"
          element={
            <PermittedScreen title="Books" permission="payments:read" action="see the books">
              <books.Component />
            </PermittedScreen>
          }
        />
        <Route
          path="items"
          element={
            <PermittedScreen title="Items" permission="items:read" action="see items">
              <items.Component />
            </PermittedScreen>
          }
        />
        <Route path="settings/*" element={<settings.Component />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}

/** Today, or the orders if the role does not permit figures. */
function Home() {
  const { role } = useSession().staff;
  if (hasPermission(role, "reports:read")) return <today.Component />;
  return <Navigate to="/orders" replace />;
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
