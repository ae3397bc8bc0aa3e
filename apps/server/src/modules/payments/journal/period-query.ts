import * as z from "zod/mini";
import { timeParameter } from "../../../platform/http/time-parameter.ts";
import type { Period } from "./journal-period.ts";

/** The period of the books, as query parameters. */
export const periodFields = {
  from: z.optional(timeParameter("The first day, or a time; days are those of UTC")),
  to: z.optional(timeParameter("The last day, or the last second", { end: true })),
};

interface PeriodQuery {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Refuses a period that ends before it begins. */
export const isOrdered = z.check<PeriodQuery>((context) => {
  const { from, to } = context.value;
  if (from === undefined || to === undefined || from < to) return;
  const message = "must not be before `from`";
  context.issues.push({ code: "custom", path: ["to"], message, input: to });
});

export const periodQuery = z.object(periodFields).check(isOrdered);

export function periodOf({ from, to: before }: PeriodQuery): Period {
  return { from, before };
}
