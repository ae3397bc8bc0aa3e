import { createInProcessBus } from "../../apps/server/src/bus/in-process.ts";
import { createStock } from "../../apps/server/src/catalogue/stock.ts";
import type { Database } from "../../apps/server/src/db/database.ts";
import { createChangeStatuses } from "../../apps/server/src/orders/change-status.ts";
import { createNoteAttemptOver } from "../../apps/server/src/orders/note-attempt-over.ts";
import { createRecordRefundsDue } from "../../apps/server/src/payments/record.ts";
import { createSettle } from "../../apps/server/src/payments/settlement.ts";
import { noAnnouncements } from "./builders.ts";

type Dependencies = Parameters<typeof createSettle>[0];

/**
 * The functions that move and settle orders on a database, without subscribers and with a fixed
 * clock. By default the provider knows no earlier loan that it is asked about.
 */
export function settlementOn(
  database: Database,
  {
    askAgain = async () => ({ kind: "absent" }),
    onIssue = () => {},
    announce = noAnnouncements,
  }: Partial<Pick<Dependencies, "askAgain" | "onIssue" | "announce">> = {},
) {
  const bus = createInProcessBus();
  const now = () => 5;
  const { giveBack } = createStock({ bus, announce });
  const changeStatuses = createChangeStatuses({
    bus,
    announce,
    giveBack,
    now,
    onChanged: () => {},
  });
  const recordRefundsDue = createRecordRefundsDue({ now, announce, onIssue });
  const settle = createSettle({
    database,
    now,
    changeStatuses,
    noteAttemptOver: createNoteAttemptOver({ bus, now, announce }),
    askAgain,
    announce,
    onIssue,
  });
  return { changeStatuses, settle, recordRefundsDue };
}
