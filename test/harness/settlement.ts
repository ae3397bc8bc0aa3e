import { createInProcessBus } from "../../apps/server/src/bus/in-process.ts";
import type { Database } from "../../apps/server/src/db/database.ts";
import { createChangeStatus, createNoteAttemptOver } from "../../apps/server/src/orders/change-status.ts";
import { findStatus } from "../../apps/server/src/orders/order-repository.ts";
import { createSettle } from "../../apps/server/src/payments/settlement.ts";

/** What moves and settles orders on a database, with nobody listening and a clock that stands still. */
export function settlementOn(database: Database) {
  const bus = createInProcessBus();
  const now = () => 5;
  const changeStatus = createChangeStatus({ bus, now, onChanged: () => {} });
  const settle = createSettle({
    database,
    now,
    changeStatus,
    noteAttemptOver: createNoteAttemptOver({ bus }),
    findPayable: (unit, id) => findStatus(unit.db, id),
    onMismatch: () => {},
  });
  return { changeStatus, settle };
}
