import { type CartLine, type Cents, lineTotal } from "@keepsats/domain";
import type { ReactNode } from "react";
import { usePictures } from "../lib/items.ts";
import { Money } from "./money.tsx";
import { Thumbnail } from "./picture.tsx";

/** The lines of a cart or an order: picture, quantity × name, line total. */
export function SummaryLines({ lines }: { lines: readonly CartLine[] }) {
  const pictures = usePictures();
  return (
    <ul className="divide-y divide-line">
      {lines.map((line) => (
        <li key={line.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
          <Thumbnail src={pictures.get(line.id)} />
          <span className="min-w-0 grow basis-32 wrap-anywhere">
            <span className="money">{line.quantity}</span> × {line.name}
          </span>
          <Money cents={lineTotal(line)} className="ml-auto" />
        </li>
      ))}
    </ul>
  );
}

/** A row of a summary, such as "Subtotal $37.00". */
export function SummaryRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 py-1">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="money ml-auto">{children}</dd>
    </div>
  );
}

/** The shipping cost; 0 is shown as "Free". */
export function ShippingRow({ cents }: { cents: Cents }) {
  return <SummaryRow label="Shipping">{cents === 0 ? "Free" : <Money cents={cents} />}</SummaryRow>;
}

/** The last row of a summary: the total, in bold. */
export function SummaryTotal({ total }: { total: Cents }) {
  return (
    <div className="mt-2 flex flex-wrap justify-between gap-x-4 border-t border-line pt-3 text-lg font-bold">
      <dt>Total</dt>
      <dd className="ml-auto">
        <Money cents={total} />
      </dd>
    </div>
  );
}
