import type { MerchantOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQueries } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useSearchParams } from "react-router";
import { orderQuery } from "../../lib/queries.ts";
import { Empty, Failed, Loading } from "../../ui/loaded.tsx";
import { printedIds } from "./printed-ids.ts";

interface PrintedOrdersProps {
  /** The title of the tab, and the name of the file where one prints into a file. */
  readonly title: string;
  readonly children: (order: MerchantOrder) => ReactNode;
}

/** The orders of the address, each on a page of its own. */
export function PrintedOrders({ title, children }: PrintedOrdersProps) {
  const [parameters] = useSearchParams();
  const queries = useQueries({
    queries: printedIds(parameters.get("ids")).map((id) => orderQuery(id)),
  });
  useEffect(() => {
    document.title = title;
  }, [title]);

  const failed = queries.find(({ error }) => error !== null);
  if (queries.length === 0) return <Empty>No order is selected.</Empty>;
  if (failed !== undefined)
    return (
      <Failed
        what="An order"
        error={failed.error}
        isTrying={failed.isFetching}
        onRetry={() => void failed.refetch()}
      />
    );
  const orders = queries.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (orders.length < queries.length) return <Loading />;
  return (
    <>
      <div className="mb-6 print:hidden">
        <Button kind="strong" onClick={() => window.print()}>
          Print
        </Button>
      </div>
      {orders.map((order) => (
        <article
          key={order.id}
          className="mb-10 break-after-page border-b border-line pb-10 last:border-0 print:mb-0 print:border-0 print:pb-0 print:last:break-after-auto"
        >
          {children(order)}
        </article>
      ))}
    </>
  );
}
