import { PackingSlip } from "../../ui/packing-slip.tsx";
import { PrintedOrders } from "./printed-orders.tsx";

export default function SlipsScreen() {
  return (
    <PrintedOrders title="Packing slips">{(order) => <PackingSlip order={order} />}</PrintedOrders>
  );
}
