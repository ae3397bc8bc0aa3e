import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusLabel } from "../../ui/order-labels.tsx";
import { OrderRow } from "../../ui/order-row.tsx";
import { Section } from "../../ui/screen.tsx";
import { Money } from "../../ui/values.tsx";
import { lastOrdersQuery } from "./queries.ts";

export function LastOrders() {
  const query = useQuery(lastOrdersQuery);
  return (
    <Section title="Last orders">
      <Loaded query={query} subject="The last orders">
        {(orders) => (
          <ul className="divide-y divide-line">
            {orders.map(({ id, number, customer_name, status, total_price, created_at }) => (
              <li key={id}>
                <OrderRow
                  orderId={id}
                  orderNumber={number}
                  customerName={customer_name}
                  amount={<Money cents={total_price} />}
                  status={<StatusLabel status={status} />}
                  at={created_at}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
