import { createInProcessBus } from "../../apps/server/src/bus/in-process.ts";
import type { Database } from "../../apps/server/src/db/database.ts";
import { createChangeStatuses, createNoteAttemptOver } from "../../apps/server/src/orders/change-status.ts";
import { createRecordRefundsOwed } from "../../apps/server/src/payments/record.ts";
import { createSettle } from "../../apps/server/src/payments/settlement.ts";

type Dependencies = Parameters<typeof createSettle>[0];

/**
 * The functions that move and settle orders on a database, without subscribers and with a fixed clock. By
 * default the provider knows no earlier loan that it is asked about.
 */
export function settlementOn(
  database: Database,
  {
    askAgain = async () => ({ kind: "absent" }),
    onMismatch = () => {},
  }: Partial<Pick<Dependencies, "askAgain" | "onMismatch">> = {},
) {
  const bus = createInProcessBus();
  const now = () => 5;
  const changeStatuses = createChangeStatuses({ bus, now, onChanged: () => {} });
  const recordRefundsOwed = createRecordRefundsOwed({ now, onMismatch });
  const settle = createSettle({
    database,
    now,
    changeStatuses,
    noteAttemptOver: createNoteAttemptOver({ bus }),
    askAgain,
    onMismatch,
  });
  return { changeStatuses, settle, recordRefundsOwed };
}
