import { type Cents, formatMoney } from "@keepsats/domain";
import { classes } from "./classes.ts";

/** An amount as a shopper reads it, in figures that stand in columns. */
export function Money({ cents, className }: { cents: Cents; className?: string }) {
  return <span className={classes("money", className)}>{formatMoney(cents)}</span>;
}
