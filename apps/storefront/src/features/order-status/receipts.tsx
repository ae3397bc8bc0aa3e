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
import type { KeyedLink } from "../../lib/order-link.ts";
import { Money } from "../../ui/money.tsx";

/** The receipt of an order and its credit notes; none until they are loaded. */
export function useReceipts(
  link: KeyedLink | undefined,
  { status, refunded }: Pick<SubscribedOrder, "status" | "refunded"> = {},
): readonly Receipt[] {
  const mayHaveReceipts = status === "Cancelled" || isPaidStatus(status ?? "");
  const { data } = useQuery({
    queryKey: [shopPaths.receipts, link?.orderId, mayHaveReceipts, refunded],
    enabled: link !== undefined && mayHaveReceipts,
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

/** Whether the price of an order is refunded as a whole. `refunded`: without what did not arrive. */
export function isPriceRefunded(
  [receipt, ...creditNotes]: readonly Receipt[],
  refunded = 0,
): boolean {
  if (receipt === undefined) return false;
  const credited = creditNotes.reduce((sum, { total }) => sum + total, 0);
  return Math.min(credited, refunded) >= receipt.total;
}

/** Lists receipt and credit notes; printing the page prints them. */
export function Receipts({ receipts }: { receipts: readonly Receipt[] }) {
  if (receipts.length === 0) return null;
  return (
    <>
      <section aria-labelledby="receipts" className="mt-10">
        <h2 id="receipts" className="mb-2 text-lg">
          Receipts
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
