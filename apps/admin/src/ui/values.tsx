import { type Address, type Cents, shopCurrency } from "@keepsats/domain";
import { AddressLines } from "@keepsats/ui/address-lines.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { useMemo } from "react";
import { amountText } from "../lib/format.ts";
import { useTimeZone } from "../lib/session.ts";

interface MoneyProps {
  /** `null` if the amount is unknown. */
  readonly cents: Cents | null;
  readonly currency?: string;
  readonly className?: string;
}

/** An amount with thousands separators and tabular figures, such as `$1,218.50`. */
export function Money({ cents, currency = shopCurrency.code, className }: MoneyProps) {
  return <span className={classes("money", className)}>{amountText(cents, currency)}</span>;
}

/** An amount with its label. `cents`: `null` if it is unknown. */
export interface Figure {
  readonly label: string;
  readonly cents: Cents | null;
  readonly currency: string;
}

/** Amounts side by side, each below its label. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  if (figures.length === 0) return null;
  return (
    <dl className="mb-3 flex flex-wrap gap-x-8 gap-y-2">
      {figures.map(({ label, cents, currency }) => (
        <div key={label}>
          <dt className="text-sm text-ink-soft">{label}</dt>
          <dd className="text-lg">
            <Money cents={cents} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A time in the shop's time zone. `at`: in epoch milliseconds. */
export function Time({ at, className }: { at: number; className?: string }) {
  const timeZone = useTimeZone();
  const format = useMemo(
    () => new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", timeZone }),
    [timeZone],
  );
  return (
    <time dateTime={new Date(at).toISOString()} className={className}>
      {format.format(at)}
    </time>
  );
}

/** A text with a time, such as "used Nov 3, 2026"; `none` without a time. */
export function TimeAfter({ text, at, none }: { text: string; at: number | null; none?: string }) {
  if (at === null) return none;
  return (
    <>
      {text}
      <Time at={at} />
    </>
  );
}

export function AddressBlock({ address }: { address: Address }) {
  return (
    <address className="wrap-anywhere not-italic">
      <AddressLines address={address} />
    </address>
  );
}
