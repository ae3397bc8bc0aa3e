import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusLabel } from "../../ui/order-labels.tsx";
import { Section } from "../../ui/screen.tsx";
import { Money, Time } from "../../ui/values.tsx";
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
                <Link
                  to={`/orders/${id}`}
                  className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-2 py-1.5 hover:bg-sunken sm:grid-cols-(--last-order-columns)"
                >
                  <span className="wrap-anywhere">
                    <span className="font-medium">{customer_name}</span>{" "}
                    <span className="money text-sm text-ink-soft">{number}</span>
                  </span>
                  <span className="text-right sm:order-last">
                    <Money cents={total_price} />
                  </span>
                  <StatusLabel status={status} />
                  <Time
                    at={created_at}
                    className="text-sm whitespace-nowrap text-ink-soft max-sm:text-right"
                  />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
