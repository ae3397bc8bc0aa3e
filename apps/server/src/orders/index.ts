export {
  type ChangeStatuses,
  createChangeStatuses,
  createNoteAttemptOver,
  type StatusChange,
  type StatusChangeOutcome,
} from "./change-status.ts";
export { type Order, wireOrder } from "./order.ts";
export { type OrderKeys, openOrderKeys } from "./order-keys.ts";
export {
  countByStatus,
  findOrder,
  findOrders,
  findState,
  findStates,
  listEvents,
  listOrders,
  resolveOrderId,
} from "./order-repository.ts";
export { createPlaceOrder, type PlaceOrder, type PlaceOrderOutcome } from "./place-order.ts";
