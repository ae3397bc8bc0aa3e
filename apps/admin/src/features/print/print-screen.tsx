import type { AdminOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQueries } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { orderQuery } from "../../lib/queries.ts";
import { Empty, Failed, Loading } from "../../ui/loaded.tsx";
import { PackingSlip } from "../../ui/print.tsx";
import { Receipt } from "./receipt.tsx";

type PrintedDocument = "slips" | "receipts";

/** Each is the title of the tab, and the file name when staff print to a file. */
const titles: Record<PrintedDocument, string> = { slips: "Packing slips", receipts: "Receipts" };

/** The packing slips or receipts of the orders in the address, each on its own page. */
export default function PrintScreen({ kind }: { kind: PrintedDocument }) {
  const [parameters] = useSearchParams();
  const queries = useQueries({
    queries: printedIds(parameters.get("ids")).map((id) => orderQuery(id)),
  });
  useEffect(() => {
    document.title = titles[kind];
  }, [kind]);

  const failed = queries.find(({ error }) => error !== null);
  if (queries.length === 0) return <Empty>No order is selected.</Empty>;
  if (failed !== undefined)
    return (
      <Failed
        subject="An order"
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
          <Printed kind={kind} order={order} />
        </article>
      ))}
    </>
  );
}

function Printed({ kind, order }: { kind: PrintedDocument; order: AdminOrder }) {
  switch (kind) {
    case "slips":
      return <PackingSlip order={order} />;
    case "receipts":
      return <Receipt order={order} />;
  }
}

/** The most orders on one screen: each is a request. */
const MAX_PRINTED = 100;

/** The ids of `?ids=a,b`, each once. @param parameter `null` if the address has none */
export function printedIds(parameter: string | null): readonly string[] {
  const ids = (parameter ?? "").split(",").filter((id) => id !== "");
  return [...new Set(ids)].slice(0, MAX_PRINTED);
}
