import { randomUUID } from "node:crypto";
import { createInProcessBus } from "../../apps/server/src/bus/in-process.ts";
import type { Clock } from "../../apps/server/src/clock.ts";
import type { Database } from "../../apps/server/src/db/database.ts";
import { createAmendOrder } from "../../apps/server/src/orders/amend-order.ts";
import type { Announcement } from "../../apps/server/src/outbox/outbox.ts";
import type { Loan } from "../../apps/server/src/payments/loan.ts";
import { createMoveOrder } from "../../apps/server/src/payments/move-order.ts";
import { createRecordRefund } from "../../apps/server/src/payments/record-refund.ts";
import { createResolveIssue } from "../../apps/server/src/payments/resolve-issue.ts";
import { settlementOn } from "./settlement.ts";

/** Who makes the changes of {@link moneyOn}. */
export const merchantAda = { kind: "merchant", name: "Ada" } as const;

/** What staff and provider do about money, on one process's database. */
export function moneyOn(database: Database, told: Announcement[] = [], now: Clock = () => 5) {
  const announce = async (_: unknown, some: readonly Announcement[]) => void told.push(...some);
  const amendOrder = createAmendOrder({ bus: createInProcessBus(), now });
  const settlement = settlementOn(database, { announce });
  const dependencies = { database, amendOrder, announce, now, newId: randomUUID };
  const refund = createRecordRefund(dependencies);
  const resolve = createResolveIssue({ ...dependencies, ...settlement });
  return {
    settle: settlement.settle,
    move: createMoveOrder({ database, ...settlement }),
    refund: (orderId: string, cents: number, idempotencyKey?: string, expectedRefunded?: number) =>
      refund({
        ...{ orderId, cents, method: "bank transfer", by: merchantAda },
        ...{ idempotencyKey, expectedRefunded },
      }),
    resolve: (
      loan: Loan,
      kind: string,
      resolution: "refunded" | "accepted" | "dismissed",
      orderId = "",
    ) =>
      resolve({
        loanId: loan.id,
        orderId: orderId === "" ? (loan.orderId ?? "") : orderId,
        kind,
        resolution,
        note: "seen to",
        by: merchantAda,
      }),
  };
}
