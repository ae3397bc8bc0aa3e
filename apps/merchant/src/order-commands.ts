import { isMerchantStatus, type MerchantStatus, orderStatuses } from "@keepsats/domain";
import { type Command, command } from "./command.ts";
import { correctOrder, eraseOrder, noteOrder, recordRefund } from "./commands/change-order.ts";
import { listMismatches, resolveMismatch, showMismatches } from "./commands/mismatches.ts";
import { moveOrder, travelOptions } from "./commands/move-order.ts";
import { exportOrders, filterOptions, listOrders, showOrder } from "./commands/orders.ts";

/** The command for each status that the merchant can set. */
const moves: Readonly<
  Record<MerchantStatus, Pick<Command, "name" | "options" | "summary" | "example">>
> = {
  Shipped: {
    name: "orders ship",
    options: [...travelOptions, "reason"],
    summary: "marks it as shipped",
    example: "0e4b3a51 --carrier DHL --tracking JD0123 --link https://dhl.example/JD0123",
  },
  Delivered: {
    name: "orders deliver",
    options: ["reason"],
    summary: "marks it as delivered",
    example: "0e4b3a51",
  },
  Cancelled: {
    name: "orders cancel",
    options: ["reason", "message", "yes"],
    summary: "cancels it; asks first if it was paid",
    example: '0e4b3a51 --reason "sold out" --message "We are sorry, it is sold out."',
  },
};

const moveCommands = orderStatuses
  .filter(isMerchantStatus)
  .map((to): Command => ({ ...moves[to], args: ["ID"], run: (call) => moveOrder(call, to) }));

/** The commands about orders and mismatches. */
export const orderCommands: readonly Command[] = [
  command({
    name: "orders list",
    args: [],
    options: [...filterOptions, "all"],
    summary: "the newest orders, or all; filters by status, day, total",
    example: "--status PaymentProcessed --from 2026-11-01 --min-total 100",
    run: listOrders,
  }),
  command({
    name: "orders find",
    args: ["TEXT …"],
    options: [...filterOptions, "all"],
    summary: "by name, e-mail, item or beginning of the id",
    example: "lovelace moka",
    run: listOrders,
  }),
  command({
    name: "orders show",
    args: ["ID"],
    options: [],
    summary: "one order with its history, money, notes and contracts",
    example: "0e4b3a51",
    run: showOrder,
  }),
  command({
    name: "orders export",
    args: ["FILE.csv"],
    options: [...filterOptions, "find"],
    summary: "orders as a table for spreadsheets",
    example: "november.csv --from 2026-11-01 --to 2026-11-30",
    run: exportOrders,
  }),
  ...moveCommands,
  command({
    name: "orders note",
    args: ["ID", "TEXT …"],
    options: [],
    summary: "stores a note that shoppers do not see",
    example: '0e4b3a51 "Called: wants it before Friday"',
    run: noteOrder,
  }),
  command({
    name: "orders correct",
    args: ["ID"],
    options: ["street", "city", "state", "postal-code", "country", ...travelOptions],
    summary: "the address before it ships, the tracking afterwards",
    example: '0e4b3a51 --street "12 St James Square" --postal-code "SW1Y 4JH"',
    run: correctOrder,
  }),
  command({
    name: "orders refund",
    args: ["ID", "AMOUNT"],
    options: ["method", "reference", "key"],
    required: ["method"],
    summary: "records money that you gave back (the shop pays none)",
    example: '0e4b3a51 45 --method "bank transfer" --reference 2026-117',
    run: recordRefund,
  }),
  command({
    name: "orders erase",
    args: ["ID"],
    options: ["yes"],
    summary: "takes out name, e-mail, addresses, notes; asks first",
    example: "0e4b3a51",
    run: eraseOrder,
  }),
  command({
    name: "mismatches list",
    args: [],
    options: ["kind", "resolved", "all"],
    summary: "payments that need you, refunds owed; of one --kind; --resolved or --all",
    example: "--kind refund-owed",
    run: listMismatches,
  }),
  command({
    name: "mismatches show",
    args: ["ID"],
    options: [],
    summary: "one mismatch, or those of an order",
    example: "0e4b3a51",
    run: showMismatches,
  }),
  command({
    name: "mismatches resolve",
    args: ["ID"],
    options: ["as", "note"],
    required: ["as", "note"],
    summary: "says how it was resolved; takes an order's ID, too",
    example: '0e4b3a51 --as given-back --note "transferred on Monday"',
    run: resolveMismatch,
  }),
];
