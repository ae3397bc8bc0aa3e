import { paths, receiptsSchema, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { printedPage } from "@keepsats/ui/classes.ts";
import { ReceiptPage } from "@keepsats/ui/receipt.tsx";
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useSearchParams } from "react-router";
import { apiQuery } from "../../lib/api.ts";
import { orderQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { Empty, Failed, Loading } from "../../ui/loaded.tsx";
import { PackingSlip } from "../../ui/print.tsx";

type PrintedDocument = "slips" | "receipts";

/** Each is the title of the tab, and the file name when staff print to a file. */
const titles: Record<PrintedDocument, string> = { slips: "Packing slips", receipts: "Receipts" };

/**
 * The packing slips, or receipts and credit notes, of the orders in the address, each on its own
 * page.
 */
export default function PrintScreen({ kind }: { kind: PrintedDocument }) {
  const [parameters] = useSearchParams();
  const ids = printedIds(parameters.get("ids"));
  useEffect(() => {
    document.title = titles[kind];
  }, [kind]);
  switch (kind) {
    case "slips":
      return <Slips ids={ids} />;
    case "receipts":
      return <Receipts ids={ids} />;
  }
}

interface PrintedIds {
  readonly ids: readonly string[];
}

function Slips({ ids }: PrintedIds) {
  const { role } = useSession().staff;
  const queries = useQueries({ queries: ids.map((id) => orderQuery(id, role)) });
  return (
    <Pages queries={queries}>
      {(order) => (
        <article key={order.id} className={printedPage}>
          <PackingSlip order={order} />
        </article>
      )}
    </Pages>
  );
}

function Receipts({ ids }: PrintedIds) {
  const queries = useQueries({
    queries: ids.map((id) => apiQuery(withId(paths.admin.receipts, id), receiptsSchema, [])),
  });
  return (
    <Pages queries={queries}>
      {({ receipts }) =>
        receipts.length === 0 ? (
          <Empty>An order that was never paid has no receipt.</Empty>
        ) : (
          receipts.map((receipt) => <ReceiptPage key={receipt.number} receipt={receipt} />)
        )
      }
    </Pages>
  );
}

interface PagesProps<Data> {
  readonly queries: readonly Pick<
    UseQueryResult<Data>,
    "data" | "error" | "isFetching" | "refetch"
  >[];
  readonly children: (data: Data) => ReactNode;
}

function Pages<Data>({ queries, children }: PagesProps<Data>) {
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
  const loaded = queries.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (loaded.length < queries.length) return <Loading />;
  return (
    <>
      <div className="mb-6 print:hidden">
        <Button kind="strong" onClick={() => window.print()}>
          Print
        </Button>
      </div>
      {loaded.map(children)}
    </>
  );
}

/** The most orders on one screen: each is a request. */
const MAX_PRINTED = 100;

/** The ids of `?ids=a,b`, each once. `parameter`: `null` if the address has none. */
export function printedIds(parameter: string | null): readonly string[] {
  const ids = (parameter ?? "").split(",").filter((id) => id !== "");
  return [...new Set(ids)].slice(0, MAX_PRINTED);
}
