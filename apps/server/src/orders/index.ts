export type { Actor } from "./actor.ts";
export { type AmendOrder, createAmendOrder } from "./amend-order.ts";
export {
  type ChangeStatuses,
  createChangeStatuses,
  type StatusChange,
  type StatusChangeOutcome,
} from "./change-status.ts";
export { type CorrectAddress, createCorrectAddress } from "./correct-address.ts";
export { type CorrectShipment, createCorrectShipment } from "./correct-shipment.ts";
export { type CurrentOrderKeys, createCurrentOrderKeys } from "./current-order-keys.ts";
export type { OrderFigures } from "./figures.ts";
export { listOrders, sortingOf } from "./list-orders.ts";
export { createNoteAttemptOver, type NoteAttemptOver } from "./note-attempt-over.ts";
export { createNoteOrder, type NoteOrder } from "./note-order.ts";
export type { Order, StoredStatus } from "./order.ts";
export { createFigures, type FigureTimes, figureTimes } from "./order-figures.ts";
export type { Cursor, OrderFilter } from "./order-filter.ts";
export type { OrderKeys } from "./order-keys.ts";
export {
  findOrder,
  findOrders,
  findStates,
  listEvents,
  type OrderState,
  resolveOrderId,
} from "./order-repository.ts";
export { type ClearPlace, clearEvents, clearOrder, clearStoredRequest } from "./personal-data.ts";
export {
  createPlaceOrder,
  createPlaceWithin,
  type PlaceOrder,
  type PlaceOrderOutcome,
  type PlaceOrderRequest,
  type PlaceWithin,
} from "./place-order.ts";
export { searchedText } from "./search-words.ts";
