import type { PlantedBug } from "./planted-bug.ts";
import { bugsElsewhere } from "./planted-elsewhere.ts";
import { bugsOfOrders } from "./planted-in-orders.ts";
import { bugsOfPayments } from "./planted-in-payments.ts";

/**
 * The bugs that the simulation must find within a few seeds. When a file changes, adapt its `find`.
 */
export const plantedBugs: readonly PlantedBug[] = [
  ...bugsOfPayments,
  ...bugsOfOrders,
  ...bugsElsewhere,
];
