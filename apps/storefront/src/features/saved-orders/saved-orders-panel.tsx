import { isOrderStatus, type OrderStatus, orderStatusLabels, shortOrderId } from "@keepsats/domain";
import { Button } from "@keepsats/ui/button.tsx";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import { Undo2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { usePictures } from "../../lib/items.ts";
import { orderLink } from "../../lib/order-link.ts";
import { Link } from "../../lib/router.tsx";
import { type SavedOrder, useSavedOrders } from "../../lib/saved-orders.ts";
import { Money } from "../../ui/money.tsx";
import { Thumbnail } from "../../ui/picture.tsx";

interface SavedOrdersPanelProps {
  /** Called on a click on a link to an order. */
  readonly onLeave: () => void;
}

/** The number of orders that are shown at first, and added by each click. */
const ORDERS_PER_PAGE = 20;

const labels: Readonly<Record<OrderStatus, string>> = {
  ...orderStatusLabels,
  Pending: "Not paid yet",
  PaymentProcessing: "Payment in progress",
  PaymentProcessed: "Paid",
};
const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long" });

/** The saved orders. A forgotten one keeps its position until the panel is closed. */
export function SavedOrdersPanel({ onLeave }: SavedOrdersPanelProps) {
  const pictures = usePictures();
  const savedOrders = useSavedOrders();
  const { orders, areStored } = useStore(savedOrders.store);
  const [forgotten, setForgotten] = useState<ReadonlyMap<string, SavedOrder>>(new Map());
  const [limit, setLimit] = useState(ORDERS_PER_PAGE);
  const known = new Set(orders.map(({ id }) => id));
  const gone = [...forgotten.values()].filter(({ id }) => !known.has(id));
  const rows = [...orders, ...gone].sort((a, b) => b.created_at - a.created_at);

  function forget(order: SavedOrder): void {
    setForgotten(new Map(forgotten).set(order.id, order));
    savedOrders.forget(order.id);
  }

  return (
    <>
      <p className="mb-4 text-ink-soft">
        {areStored
          ? "They are saved in this browser. Anyone who uses it can open them."
          : "This browser cannot store orders. Copy the link of each order before you close this tab."}
      </p>
      {rows.length === 0 && <p>There are no saved orders.</p>}
      <ul className="divide-y divide-line border-line not-empty:border-y">
        {rows
          .slice(0, limit)
          .map((order) =>
            known.has(order.id) ? (
              <OrderRow
                key={order.id}
                order={order}
                picture={pictures.get(order.first_item ?? "")}
                onLeave={onLeave}
                onForget={() => forget(order)}
              />
            ) : (
              <ForgottenRow
                key={order.id}
                order={order}
                onUndo={() => savedOrders.restore(order)}
              />
            ),
          )}
      </ul>
      {rows.length > limit && (
        <Button className="mt-4 w-full" onClick={() => setLimit(limit + ORDERS_PER_PAGE)}>
          Show older orders
        </Button>
      )}
    </>
  );
}

interface OrderRowProps extends SavedOrdersPanelProps {
  readonly order: SavedOrder;
  readonly picture: string | undefined;
  readonly onForget: () => void;
}

function OrderRow({ order, picture, onLeave, onForget }: OrderRowProps) {
  const { id, number, created_at, total_price, status, item_count } = order;
  return (
    <li className="flex gap-x-4 py-3">
      <Thumbnail src={picture} />
      <div className="min-w-0 grow">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <Link
            to={orderLink({ ...order, orderId: id })}
            onClick={onLeave}
            className={classes(
              textLink,
              "-my-2 inline-flex min-h-11 items-center text-lg font-medium",
            )}
          >
            <span className="sr-only">Order </span>
            <span className="money">#{shortOrderId(id)}</span>
          </Link>
          <Money cents={total_price} className="ml-auto font-medium" />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm text-ink-soft">
          <p>
            <span className="font-medium text-ink">
              {isOrderStatus(status) ? labels[status] : "Unknown"}
            </span>{" "}
            · {number !== undefined && `${number} · `}
            {item_count !== undefined && `${item_count} ${item_count === 1 ? "item" : "items"} · `}
            {day.format(created_at)}
          </p>
          <button
            type="button"
            onClick={onForget}
            className={classes(textLink, "-my-1 ml-auto inline-flex min-h-11 items-center")}
          >
            Forget this order
            <span className="sr-only"> #{shortOrderId(id)}</span>
          </button>
        </div>
      </div>
    </li>
  );
}

/** The row of a forgotten order. Its Undo button is focused. */
function ForgottenRow({ order, onUndo }: { order: SavedOrder; onUndo: () => void }) {
  const undo = useRef<HTMLButtonElement>(null);
  useEffect(() => undo.current?.focus(), []);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 py-3 text-ink-soft">
      <p role="status">
        Order <span className="money">#{shortOrderId(order.id)}</span> is forgotten here.
      </p>
      <button
        type="button"
        ref={undo}
        onClick={onUndo}
        className="ml-auto inline-flex min-h-11 items-center gap-1.5 px-2 font-medium text-ink underline underline-offset-4 hover:decoration-2"
      >
        <Undo2 aria-hidden size={16} />
        Undo<span className="sr-only">: keep order #{shortOrderId(order.id)}</span>
      </button>
    </li>
  );
}
