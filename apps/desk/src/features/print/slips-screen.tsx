import { PackingSlip } from "../../ui/packing-slip.tsx";
import { PrintedOrders } from "./printed-orders.tsx";

/** The packing slips of the orders in the address. */
export default function SlipsScreen() {
  return <PrintedOrders title="Packing slips">{(order) => <PackingSlip order={order} />}</PrintedOrders>;
}
