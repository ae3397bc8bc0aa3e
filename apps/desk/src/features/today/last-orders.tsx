import { call } from "@keepsats/client";
import { orderPageSchema, paths } from "@keepsats/protocol";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Loaded } from "../../ui/loaded.tsx";
import { Money } from "../../ui/money.tsx";
import { Section } from "../../ui/screen.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { Time } from "../../ui/time.tsx";

/** How many of the last orders are shown. */
const LAST = 5;

const lastOrdersQuery = queryOptions({
  queryKey: ["last orders"],
  meta: { topics: ["orders"] },
  queryFn: async ({ signal }) => {
    const path = `${paths.merchant.orders}?limit=${LAST}`;
    return (await call({ path, answer: orderPageSchema, signal })).orders;
  },
});

/** The orders that were placed last, each with a link to it. */
export function LastOrders() {
  const query = useQuery(lastOrdersQuery);
  return (
    <Section title="Last orders">
      <Loaded query={query} what="The last orders">
        {(orders) => (
          <ul className="divide-y divide-line">
            {orders.map(({ id, customer_name, status, total_price, created_at }) => (
              <li key={id}>
                <Link
                  to={`/orders/${id}`}
                  className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-2 py-1.5 hover:bg-sunken sm:grid-cols-(--last-order-columns)"
                >
                  <span className="font-medium wrap-anywhere">{customer_name}</span>
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
