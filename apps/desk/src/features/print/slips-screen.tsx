import { PackingSlip } from "../../ui/print.tsx";
import { PrintedOrders } from "./printed-orders.tsx";

export default function SlipsScreen() {
  return (
    <PrintedOrders title="Packing slips">{(order) => <PackingSlip order={order} />}</PrintedOrders>
  );
}
