import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import {
  awaitsPayment,
  type Cents,
  decimalFromCents,
  formatMoney,
  isOrderStatus,
  shortOrderId,
} from "@keepsats/domain";
import {
  adviceText,
  happenedText,
  type MerchantMismatch,
  type MismatchKind,
  mismatchesSchema,
  mismatchKinds,
  mismatchSchema,
  paths,
  resolutions,
  resolutionText,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example, oneOf } from "./arguments.ts";
import type { Client } from "./client.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { orderIdOf, readOrder } from "./order.ts";
import { type Column, formatTime, labelled, printable, table } from "./output.ts";
import { pagesOf } from "./pages.ts";
import type { Session } from "./session.ts";

const INDENT = 10;

const columns: readonly Column<MerchantMismatch>[] = [
  { head: "SEEN (UTC)", cell: ({ seen_at }) => formatTime(seen_at) },
  { head: "KIND", most: 20, cell: ({ kind }) => kind },
  { head: "ORDER", cell: ({ order_id }) => (order_id === null ? "" : shortOrderId(order_id)) },
  {
    head: "AMOUNT",
    right: true,
    cell: ({ amount }) => (amount === null ? "" : formatMoney(amount)),
  },
  { head: "CONTRACT", most: 40, cell: ({ contract_id }) => contract_id },
];

/** The words of `--as`. */
const ways = resolutions.map((resolution) => resolution.replaceAll("_", "-"));

export function addMismatchCommands(mismatches: CommandUnknownOpts, session: Session): void {
  mismatches
    .command("list")
    .description("payments that need you, and refunds owed")
    .option("--kind <kind>", mismatchKinds.join(", "), oneOf(mismatchKinds))
    .option("--resolved", "those that are resolved")
    .option("--all", "the open and the resolved ones")
    .addHelpText("after", example("mismatches list --kind refund-owed"))
    .action((options) => listMismatches(session, options));
  mismatches
    .command("show <id>")
    .description("one mismatch, or those of an order, with the commands that are possible")
    .addHelpText("after", example("mismatches show 0e4b3a51"))
    .action((id) => showMismatches(session, id));
  mismatches
    .command("resolve <id>")
    .description("stores how it was resolved; takes an order's id, too")
    .requiredOption("--as <resolution>", ways.join(", "), oneOf(ways))
    .requiredOption("--note <text>", "the reason, or what was done")
    .addHelpText("after", example('mismatches resolve 0e4b3a51 --as explained --note "agreed"'))
    .action((id, options) => resolveMismatch(session, id, options));
}

interface ListOptions {
  readonly kind?: MismatchKind;
  readonly resolved?: true;
  readonly all?: true;
}

async function listMismatches(
  { client, show, width }: Session,
  { kind, resolved, all }: ListOptions,
): Promise<void> {
  const path = paths.merchant.mismatches;
  const state = all ? undefined : resolved ? "resolved" : "open";
  const pages = pagesOf((cursor) =>
    client.call({ path, query: { state, kind, cursor }, answer: mismatchesSchema }),
  );
  const mismatches: MerchantMismatch[] = [];
  for await (const page of pages) mismatches.push(...page.mismatches);
  // An order's id names its mismatch, so only one without an order needs its own.
  const notesOf = ({ id, detail, resolution, order_id }: MerchantMismatch) => [
    detail,
    ...(resolution === null ? [] : [resolutionText(resolution)]),
    ...(order_id === null ? [id] : []),
  ];
  show(
    z.encode(mismatchesSchema.shape.mismatches, mismatches),
    mismatches.length === 0
      ? `${["No", state, kind, "mismatches"].filter(Boolean).join(" ")}.`
      : table(columns, mismatches, width, notesOf),
  );
}

async function showMismatches({ client, show, width }: Session, named: string): Promise<void> {
  const mismatches = await mismatchesNamed(client, named);
  const open = mismatches.filter(({ resolution }) => resolution === null);
  const texts = mismatches.map((one) => {
    // The id of an order names a mismatch only where it has one that is open.
    const name = isOrderPrefix(named) && open.length === 1 ? orderIdOf(named) : printable(one.id);
    const ways = one.resolution === null ? ["", ...waysOf(one, name)] : [];
    return [describe(one, width), ...ways].join("\n");
  });
  show(
    mismatches.map((one) => z.encode(mismatchSchema, one)),
    texts.join("\n\n"),
  );
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
    field("Resolved", resolution === null ? "no" : resolutionText(resolution)),
  ].join("\n");
}

/** A command that records a refund, to be copied. */
function refundCommand(orderId: string, cents: Cents): string {
  return `orders refund ${shortOrderId(orderId)} ${decimalFromCents(cents)} --method "bank transfer"`;
}

/**
 * What to do about an open mismatch, with the commands that are possible. `named` names the
 * mismatch in them.
 */
export function waysOf(mismatch: MerchantMismatch, named: string): string[] {
  const { kind, order_id, order_status, amount, still_owed = amount } = mismatch;
  const resolve = (as: string, note: string) =>
    `mismatches resolve ${named} --as ${as} --note "${note}"`;
  const isAcceptable =
    kind === "underpaid" &&
    order_status !== null &&
    isOrderStatus(order_status) &&
    awaitsPayment(order_status);
  // Without an order of the shop there is nothing to record a refund for.
  const hasRefund = order_id !== null && order_status !== null && still_owed !== 0;
  const commands = [resolve("explained", "asked the provider")];
  if (amount !== null && isAcceptable) commands.unshift(resolve("accepted", "agreed on the phone"));
  if (amount !== null)
    commands.unshift(
      hasRefund
        ? refundCommand(order_id, still_owed ?? amount)
        : resolve("given-back", "transferred on Monday"),
    );
  return [happenedText(mismatch), adviceText(mismatch), ...commands.map((one) => `  ${one}`)];
}

async function resolveMismatch(
  { client, show }: Session,
  named: string,
  { as, note }: { readonly as: string; readonly note: string },
): Promise<void> {
  const kind = as.replaceAll("-", "_");
  const id = await openMismatch(client, named);
  const path = withId(paths.merchant.resolution, id);
  const resolved = await client
    .call({ method: "POST", path, body: { kind, note }, answer: mismatchSchema })
    .catch((error: unknown) => {
      const owed = error instanceof CommandFailed ? error.problem?.owed : undefined;
      if (!(error instanceof CommandFailed) || owed === undefined) throw error;
      const next = isOrderPrefix(named) ? `\n  ${refundCommand(orderIdOf(named), owed)}` : "";
      throw new CommandFailed(error.exitCode, `${error.message}${next}`);
    });
  const text = `The mismatch ${resolved.kind} is resolved: ${kind.replaceAll("_", " ")}.`;
  show(z.encode(mismatchSchema, resolved), text);
}

/**
 * Whether a text is the id of an order or the beginning of one. The ids of mismatches begin with
 * `Wy`.
 */
function isOrderPrefix(text: string): boolean {
  return /^#?[0-9a-f]{8}[0-9a-f-]*$/i.test(text);
}

/** The mismatches of an order, or the one with an id. @throws {CommandFailed} if there is none */
async function mismatchesNamed(client: Client, named: string): Promise<MerchantMismatch[]> {
  if (!isOrderPrefix(named)) {
    const path = withId(paths.merchant.mismatch, named);
    return [await client.call({ path, answer: mismatchSchema })];
  }
  const { mismatches } = await readOrder(client, named);
  if (mismatches.length > 0) return mismatches;
  throw new CommandFailed(exitCodes.notFound, "This order has no mismatch.");
}

/** @throws {CommandFailed} if an order is named that has no open mismatch, or several */
async function openMismatch(client: Client, named: string): Promise<string> {
  if (!isOrderPrefix(named)) return named;
  const { mismatches } = await readOrder(client, named);
  const open = mismatches.filter(({ resolution }) => resolution === null);
  if (open.length === 1 && open[0] !== undefined) return open[0].id;
  if (open.length === 0)
    throw new CommandFailed(exitCodes.notFound, "This order has no open mismatch.");
  const names = open.map(({ id, kind }) => printable(`  ${id}  ${kind}`));
  const message = `This order has ${open.length} open mismatches. Name one by its ID:`;
  throw new CommandFailed(exitCodes.notFound, [message, ...names].join("\n"));
}
