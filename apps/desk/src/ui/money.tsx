import { type Cents, formatGroupedMoney } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";

/** An amount with thousands separators and tabular figures, such as `$1,218.50`. */
export function Money({ cents, className }: { cents: Cents; className?: string }) {
  return <span className={classes("money", className)}>{formatGroupedMoney(cents)}</span>;
}
