export {
  type ChangeStatuses,
  createChangeStatuses,
  createNoteAttemptOver,
  type NoteAttemptOver,
  type StatusChange,
  type StatusChangeOutcome,
} from "./change-status.ts";
export { type AnswerTimes, answerTimes, createForgetAnswers } from "./forget-answers.ts";
export type { Order, StoredStatus } from "./order.ts";
export { type OrderKeys, openOrderKeys } from "./order-keys.ts";
export {
  countByStatus,
  findOrder,
  findOrders,
  findState,
  findStates,
  listEvents,
  listOrders,
  type OrderState,
  resolveOrderId,
} from "./order-repository.ts";
export { createPlaceOrder, type PlaceOrder } from "./place-order.ts";
