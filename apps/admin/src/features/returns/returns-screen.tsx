import { MAX_OPEN_RETURNS, openReturnsSchema, paths } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { apiQuery } from "../../lib/api.ts";
import { counted } from "../../lib/format.ts";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { returnLabel } from "../../ui/order-labels.tsx";
import { OrderRow } from "../../ui/order-row.tsx";
import { Screen } from "../../ui/screen.tsx";

/** The open returns of all orders, oldest first. */
export default function ReturnsScreen() {
  const query = useQuery(apiQuery(paths.admin.returns, openReturnsSchema, ["orders"]));
  return (
    <Screen title="Open returns">
      <Loaded query={query} subject="The returns">
        {({ returns }) =>
          returns.length === 0 ? (
            <Empty>No open returns.</Empty>
          ) : (
            <>
              <ul className="divide-y divide-line border-y border-line">
                {returns.map(({ id, order_id, order_number, customer_name, ...orderReturn }) => (
                  <li key={id}>
                    <OrderRow
                      orderId={order_id}
                      orderNumber={order_number}
                      customerName={customer_name}
                      amount={counted(orderReturn.item_count, "item")}
                      status={<span>{returnLabel(orderReturn.state)}</span>}
                      at={orderReturn.opened_at}
                    />
                  </li>
                ))}
              </ul>
              {returns.length === MAX_OPEN_RETURNS && (
                <p className="pt-3 text-ink-soft">Only the oldest {MAX_OPEN_RETURNS} are listed.</p>
              )}
            </>
          )
        }
      </Loaded>
    </Screen>
  );
}
