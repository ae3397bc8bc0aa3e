import { type Cents, currency as shopCurrency } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";
import { amountText } from "../lib/amounts.ts";

interface MoneyProps {
  /** `null` if nobody knows the amount. */
  readonly cents: Cents | null;
  /** The shop's currency by default. */
  readonly currency?: string;
  readonly className?: string;
}

/** An amount with thousands separators and tabular figures, such as `$1,218.50`. */
export function Money({ cents, currency = shopCurrency.code, className }: MoneyProps) {
  return <span className={classes("money", className)}>{amountText(cents, currency)}</span>;
}
