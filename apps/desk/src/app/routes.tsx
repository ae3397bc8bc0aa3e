import { Route, Routes } from "react-router";
import { NotFound } from "./not-found.tsx";
import { items, order, orders, payments, receipts, settings, slips, today } from "./screens.ts";
import { PrintShell, Shell } from "./shell.tsx";

/** The screens by path. */
export function Screens() {
  return (
    <Routes>
      <Route path="print" element={<PrintShell />}>
        <Route path="slips" element={<slips.Component />} />
        <Route path="receipts" element={<receipts.Component />} />
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
