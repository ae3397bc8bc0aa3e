import { call } from "@keepsats/client";
import { MAX_OPEN_RETURNS, openReturnsSchema, paths } from "@keepsats/protocol";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { counted } from "../../lib/format.ts";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { returnLabel } from "../../ui/return-labels.ts";
import { Screen } from "../../ui/screen.tsx";
import { Time } from "../../ui/values.tsx";

const openReturnsQuery = queryOptions({
  queryKey: ["returns"],
  meta: { topics: ["orders"] },
  queryFn: async ({ signal }) =>
    (await call({ path: paths.admin.returns, answer: openReturnsSchema, signal })).returns,
});

/** The open returns of all orders, oldest first. */
export default function ReturnsScreen() {
  const query = useQuery(openReturnsQuery);
  return (
    <Screen title="Open returns">
      <Loaded query={query} subject="The returns">
        {(returns) =>
          returns.length === 0 ? (
            <Empty>No open returns.</Empty>
          ) : (
            <>
              <ul className="divide-y divide-line border-y border-line">
                {returns.map(({ id, order_id, order_number, customer_name, ...returned }) => (
                  <li key={id}>
                    <Link
                      to={`/orders/${order_id}`}
                      className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-2 py-1.5 hover:bg-sunken sm:grid-cols-(--last-order-columns)"
                    >
                      <span className="wrap-anywhere">
                        <span className="font-medium">{customer_name}</span>{" "}
                        <span className="money text-sm text-ink-soft">{order_number}</span>
                      </span>
                      <span className="text-right sm:order-last">
                        {counted(returned.item_count, "item")}
                      </span>
                      <span>{returnLabel(returned.state)}</span>
                      <Time
                        at={returned.opened_at}
                        className="text-sm whitespace-nowrap text-ink-soft max-sm:text-right"
                      />
                    </Link>
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
