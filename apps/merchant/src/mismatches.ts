import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { formatMoney, shortOrderId } from "@keepsats/domain";
import {
  type MerchantMismatch,
  type MismatchKind,
  mismatchesSchema,
  mismatchKinds,
  mismatchSchema,
  paths,
  resolutions,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example, oneOf } from "./arguments.ts";
import type { Client } from "./client.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { refundCommand, waysOf } from "./mismatch-ways.ts";
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
    ...(resolution === null ? [] : [resolvedText(resolution)]),
    ...(order_id === null ? [id] : []),
  ];
  show(
    z.encode(mismatchesSchema.shape.mismatches, mismatches),
    mismatches.length === 0
      ? `${["No", state, kind, "mismatches"].filter(Boolean).join(" ")}.`
      : table(columns, mismatches, width, notesOf),
  );
}

function resolvedText({ kind, by, at, note }: NonNullable<MerchantMismatch["resolution"]>): string {
  return `${kind.replaceAll("_", " ")}, ${formatTime(at)} by ${by}: ${note}`;
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
    field("Resolved", resolution === null ? "no" : resolvedText(resolution)),
  ].join("\n");
}

async function resolveMismatch(
  { client, show }: Session,
  named: string,
  { as, note }: { readonly as: string; readonly note: string },
): Promise<void> {
  const kind = as.replaceAll("-", "_");
  const { id } = await openMismatch(client, named);
  const path = withId(paths.merchant.resolution, id);
  const resolved = await client
    .call({ method: "POST", path, body: { kind, note }, answer: mismatchSchema })
    .catch((error: unknown) => explainOwed(client, id, error));
  const text = `The mismatch ${resolved.kind} is resolved: ${kind.replaceAll("_", " ")}.`;
  show(z.encode(mismatchSchema, resolved), text);
}

/** Adds the next command to the refusal of a mismatch whose refund is not recorded yet. */
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
  const { mismatches } = await readOrder(client, named);
  if (mismatches.length > 0) return mismatches;
  throw new CommandFailed(exitCodes.notFound, "This order has no mismatch.");
}

/** @throws {CommandFailed} if an order is named that has no open mismatch, or several */
async function openMismatch(client: Client, named: string): Promise<Pick<MerchantMismatch, "id">> {
  if (!isOrderPrefix(named)) return { id: named };
  const { mismatches } = await readOrder(client, named);
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
