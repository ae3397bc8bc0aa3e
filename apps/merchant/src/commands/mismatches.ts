import { formatMoney, shortOrderId } from "@keepsats/domain";
import {
  type MerchantMismatch,
  mismatchesSchema,
  mismatchKinds,
  mismatchSchema,
  paths,
  resolutions,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Client } from "../client.ts";
import type { Call } from "../command.ts";
import { CommandFailed, exitCodes, usageError } from "../exit.ts";
import { oneOf } from "../one-of.ts";
import { type Column, formatTime, json, labelled, printable, table } from "../output.ts";
import { pagesOf } from "../pages.ts";
import { refundCommand, waysOf } from "./mismatch-ways.ts";
import { orderIdOf, readOrder } from "./move-order.ts";

const columns: readonly Column[] = [
  { head: "SEEN (UTC)" },
  { head: "KIND", most: 20 },
  { head: "ORDER" },
  { head: "AMOUNT", right: true },
  { head: "CONTRACT", most: 40 },
];
/** The width of a time, to indent the lines of a row. */
const TIME_INDENT = 18;
const INDENT = 10;

/**
 * `mismatches list [--kind KIND] [--resolved] [--all]`: contracts that do not pay the order they
 * were meant for, and refunds owed; the open ones, the resolved ones, or all; of any kind, or of
 * one.
 */
export async function listMismatches({
  client,
  output,
  options,
}: Pick<Call<"kind" | "resolved" | "all">, "client" | "output" | "options">): Promise<void> {
  const path = paths.merchant.mismatches;
  const kind = oneOf(mismatchKinds, options.kind, "kind");
  const state = options.all === true ? undefined : options.resolved === true ? "resolved" : "open";
  const pages = pagesOf((cursor) =>
    client.call({ path, query: { state, kind, cursor }, answer: mismatchesSchema }),
  );
  const mismatches: MerchantMismatch[] = [];
  for await (const page of pages) mismatches.push(...page.mismatches);
  if (output.json)
    return output.line(
      json(z.encode(mismatchesSchema, { mismatches, next_cursor: null }).mismatches),
    );
  if (mismatches.length === 0)
    return output.line(`${["No", state, kind, "mismatches"].filter(Boolean).join(" ")}.`);
  const rows = mismatches.map(({ seen_at, kind, order_id, amount, contract_id }) => [
    formatTime(seen_at),
    kind,
    order_id === null ? "" : shortOrderId(order_id),
    amount === null ? "" : formatMoney(amount),
    contract_id,
  ]);
  const [head = "", ...lines] = table(columns, rows, output.width);
  const below = mismatches.map((mismatch) => linesBelow(mismatch, output.width));
  output.line([head, ...lines.flatMap((line, at) => [line, ...(below[at] ?? [])])].join("\n"));
}

/**
 * What stands below a mismatch of the list: the detail, how it was resolved, and its id where no
 * order names it.
 */
function linesBelow(
  { detail, resolution, order_id, id }: MerchantMismatch,
  width: number,
): string[] {
  const line = (text: string) => labelled("", text, { indent: TIME_INDENT, width });
  return [
    line(detail),
    ...(resolution === null ? [] : [line(resolvedText(resolution))]),
    ...(order_id === null ? [`${" ".repeat(TIME_INDENT)}${printable(id)}`] : []),
  ];
}

function resolvedText({ kind, by, at, note }: NonNullable<MerchantMismatch["resolution"]>): string {
  return `${kind.replaceAll("_", " ")}, ${formatTime(at)} by ${by}: ${note}`;
}

/** `mismatches show ID`: one mismatch, or those of an order. */
export async function showMismatches({ client, output, args: [named = ""] }: Call): Promise<void> {
  const mismatches = await mismatchesNamed(client, named);
  if (output.json) return output.line(json(mismatches.map((one) => z.encode(mismatchSchema, one))));
  const open = mismatches.filter(({ resolution }) => resolution === null);
  const texts = mismatches.map((one) => {
    // The id of an order names a mismatch only where it has one that is open.
    const name = isOrderPrefix(named) && open.length === 1 ? orderIdOf(named) : printable(one.id);
    const ways = one.resolution === null ? ["", ...waysOf(one, name)] : [];
    return [describe(one, output.width), ...ways].join("\n");
  });
  output.line(texts.join("\n\n"));
}

function describe(mismatch: MerchantMismatch, width: number): string {
  const { id, kind, contract_id, order_id, order_status, detail, amount, seen_at, resolution } =
    mismatch;
  const field = (label: string, text: string) => labelled(label, text, { indent: INDENT, width });
  return [
    // Not wrapped, so that it can be copied.
    `ID        ${printable(id)}`,
    field("Kind", kind),
    field("Order", order_id === null ? "none" : `${order_id}, ${order_status ?? "unknown"}`),
    field("Contract", contract_id),
    field("Amount", amount === null ? "none, or unknown" : formatMoney(amount)),
    field("Seen", `${formatTime(seen_at)} UTC`),
    field("Detail", detail),
    field("Resolved", resolution === null ? "no" : resolvedText(resolution)),
  ].join("\n");
}

/**
 * `mismatches resolve ID --as … --note …`: says how a mismatch was resolved. It is named by its id,
 * or by that of an order that has one open mismatch, or by the beginning of the order's.
 */
export async function resolveMismatch({
  client,
  output,
  args: [named = ""],
  options: { as, note },
}: Call<"as" | "note">): Promise<void> {
  const kind = resolutions.find((known) => known === as?.replaceAll("-", "_"));
  if (kind === undefined) {
    const takes = resolutions.map((known) => known.replaceAll("_", "-")).join(", ");
    throw usageError(
      `--as: ${as === undefined ? "is not given" : `got "${printable(as)}"`}, takes one of ${takes}`,
    );
  }
  if (note === undefined) throw usageError("--note: is not given; it says what was done");
  const { id } = await openMismatch(client, named);
  const path = withId(paths.merchant.resolution, id);
  const resolved = await client
    .call({ method: "POST", path, body: { kind, note }, answer: mismatchSchema })
    .catch((error: unknown) => explainOwed(client, id, error));
  if (output.json) return output.line(json(z.encode(mismatchSchema, resolved)));
  output.line(`The mismatch ${resolved.kind} is resolved: ${kind.replaceAll("_", " ")}.`);
}

/** Adds the next command to the refusal of a mismatch whose money was not given back yet. */
async function explainOwed(client: Client, id: string, error: unknown): Promise<never> {
  const owed = error instanceof CommandFailed ? error.problem?.owed : undefined;
  if (!(error instanceof CommandFailed) || owed === undefined) throw error;
  const { order_id } = await client.call({
    path: withId(paths.merchant.mismatch, id),
    answer: mismatchSchema,
  });
  if (order_id === null) throw error;
  throw new CommandFailed(error.exitCode, `${error.message}\n  ${refundCommand(order_id, owed)}`);
}

/**
 * Whether a text is the id of an order or the beginning of one. The ids of mismatches begin with
 * `Wy`.
 */
function isOrderPrefix(text: string): boolean {
  return /^#?[0-9a-f]{8}[0-9a-f-]*$/i.test(text);
}

async function mismatchesNamed(
  client: Client,
  named: string,
): Promise<readonly MerchantMismatch[]> {
  if (!isOrderPrefix(named)) {
    return [
      await client.call({ path: withId(paths.merchant.mismatch, named), answer: mismatchSchema }),
    ];
  }
  const { mismatches } = await readOrder(client, orderIdOf(named));
  if (mismatches.length > 0) return mismatches;
  throw new CommandFailed(exitCodes.notFound, "This order has no mismatch.");
}

/** @throws {CommandFailed} if an order is named that has no open mismatch, or several */
async function openMismatch(client: Client, named: string): Promise<Pick<MerchantMismatch, "id">> {
  if (!isOrderPrefix(named)) return { id: named };
  const { mismatches } = await readOrder(client, orderIdOf(named));
  const open = mismatches.filter(({ resolution }) => resolution === null);
  const [first, ...others] = open;
  if (first !== undefined && others.length === 0) return first;
  const message =
    first === undefined
      ? "This order has no open mismatch."
      : `This order has ${open.length} open mismatches. Name one by its ID:\n${open
          .map(({ id, kind, contract_id }) =>
            printable(`  ${id}  ${kind}, contract ${contract_id}`),
          )
          .join("\n")}`;
  throw new CommandFailed(exitCodes.notFound, message);
}
