import { type Cents, formatMoney } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";

/** An amount with currency sign and tabular figures, such as `$18.50`. */
export function Money({ cents, className }: { cents: Cents; className?: string }) {
  return <span className={classes("money", className)}>{formatMoney(cents)}</span>;
}
