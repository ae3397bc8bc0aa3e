import { call } from "@keepsats/client";
import { isPaidStatus } from "@keepsats/domain";
import {
  orderKeyHeader,
  type Receipt,
  receiptsSchema,
  type SubscribedOrder,
  shopPaths,
  withId,
} from "@keepsats/protocol";
import { dayText, ReceiptPage, receiptTitle } from "@keepsats/ui/receipt.tsx";
import { useQuery } from "@tanstack/react-query";
import { Money } from "../../ui/money.tsx";

/** The order and its key. */
interface KeyedLink {
  readonly orderId: string;
  readonly key: string;
}

/** The receipt of an order and its credit notes; none until they are loaded. */
export function useReceipts(
  link: KeyedLink | undefined,
  { status, refunded }: Pick<SubscribedOrder, "status" | "refunded"> = {},
): readonly Receipt[] {
  const isPayable = status === "Cancelled" || isPaidStatus(status ?? "");
  const { data } = useQuery({
    queryKey: [shopPaths.receipts, link?.orderId, isPayable, refunded],
    enabled: link !== undefined && isPayable,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      call({
        path: withId(shopPaths.receipts, link?.orderId ?? ""),
        headers: { [orderKeyHeader]: link?.key ?? "" },
        answer: receiptsSchema,
        signal,
      }),
  });
  return data?.receipts ?? [];
}

/** Their numbers. They are printed instead of the page. */
export function Receipts({ receipts }: { receipts: readonly Receipt[] }) {
  if (receipts.length === 0) return null;
  return (
    <>
      <section aria-labelledby="receipts" className="mt-10">
        <h2 id="receipts" className="mb-2 text-lg">
          Receipt
        </h2>
        <ul className="max-w-md">
          {receipts.map((receipt) => (
            <li key={receipt.number} className="flex flex-wrap justify-between gap-x-4">
              <span>
                {receiptTitle(receipt)}, {dayText(receipt.issued_on)}
              </span>
              <Money cents={receipt.total} />
            </li>
          ))}
        </ul>
      </section>
      <div data-print-only className="hidden print:block">
        {receipts.map((receipt) => (
          <ReceiptPage key={receipt.number} receipt={receipt} />
        ))}
      </div>
    </>
  );
}
