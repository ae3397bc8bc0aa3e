import { writeFile } from "node:fs/promises";
import {
  type ImportAnswer,
  importAnswerSchema,
  itemImportSchema,
  merchantItemsSchema,
  paths,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Client } from "../client.ts";
import type { Call } from "../command.ts";
import { isCsv, placeIn, readImport, readTable } from "../import-file.ts";
import { json, type Output, printable } from "../output.ts";
import { notWritten, saveFile } from "../save-file.ts";
import { linesOf } from "./item-changes.ts";

/** The most changes shown; `--json` writes them all. */
const SHOWN_CHANGES = 1_000;

/**
 * `items import FILE`, JSON or a table: checks the whole file, then adds and changes all of its
 * items at once, and lists the changes.
 */
export async function importItems({
  client,
  output,
  args,
  options,
  fileOf,
}: Call<"dry-run">): Promise<void> {
  const { "dry-run": dryRun = false } = options;
  const { items, ...content } = await contentOf(fileOf(args[0] ?? ""));
  output.progress(items === undefined ? "Sending …" : `${items.length} items checked, sending …`);
  const answer = await client.call({
    method: "POST",
    path: paths.merchant.import,
    query: { dry_run: dryRun ? "1" : undefined },
    ...content,
    answer: importAnswerSchema,
    placeOf: (path) => placeIn(items, path.split(".")),
    onProgress: (sent) =>
      output.progress(sent < 1 ? `Sent ${Math.floor(sent * 100)} %` : "Sent; storing …"),
  });
  if (output.json) return output.line(json(z.encode(importAnswerSchema, answer)));
  output.line(describe(answer, dryRun));
}

/** What is sent of a file, and the items of a file that is no table. */
async function contentOf(file: string) {
  if (isCsv(file)) return { items: undefined, csv: await readTable(file) };
  const items = await readImport(file);
  return { items, body: z.encode(itemImportSchema, { items }) };
}

function describe({ changes, reordered, ...counts }: ImportAnswer, dryRun: boolean): string {
  const lines = changes.flatMap(linesOf);
  const more = lines.length - SHOWN_CHANGES;
  return [
    ...lines.slice(0, SHOWN_CHANGES),
    ...(more > 0 ? [`… and ${more} more: --json lists them all`] : []),
    ...(reordered ? ["The items now have the order of the file."] : []),
    `${counts.added} added, ${counts.changed} changed, ${counts.unchanged} unchanged.`,
    ...(dryRun ? ["This was a dry run: nothing was changed."] : []),
  ].join("\n");
}

/**
 * `items export [FILE]`: writes the catalogue in a format of `items import`, as a table if the
 * file's name says so. An existing file is not overwritten. The counts of pieces are left out
 * unless asked for: orders go on while a file is edited, and an import would put sold pieces back.
 */
export async function exportItems(call: Call<"with-stock">): Promise<void> {
  const { client, output, options, fileOf } = call;
  const [named] = call.args;
  const { "with-stock": withStock = false } = options;
  const file = named === undefined ? undefined : fileOf(named);
  if (file !== undefined && isCsv(file)) return exportTable(client, output, { file, withStock });
  const answer = await client.call({ path: paths.merchant.items, answer: merchantItemsSchema });
  const { items } = z.encode(merchantItemsSchema, answer);
  const written = items.map((item) => writtenItem(item, withStock));
  if (file === undefined) return output.line(json({ items: written }, 2));
  await writeFile(file, `${JSON.stringify({ items: written }, null, 2)}\n`, { flag: "wx" }).catch(
    (error: unknown) => notWritten(file, error),
  );
  output.line(output.json ? json({ exported: items.length }) : `${items.length} items written.`);
}

async function exportTable(
  client: Client,
  output: Output,
  { file, withStock }: { file: string; withStock: boolean },
): Promise<void> {
  const query = { stock: withStock ? "1" : undefined };
  const parts = client.download({ path: paths.merchant.itemsCsv, query });
  const bytes = await saveFile(file, parts, (sofar) =>
    output.progress(`${Math.round(sofar / 1024)} KB written …`),
  );
  output.line(output.json ? json({ file, bytes }) : `${printable(file)} is written.`);
}

type WrittenItem = z.input<typeof merchantItemsSchema>["items"][number];

/**
 * An item without the fields that have the value which an import gives a new one, and with its
 * count only if wanted.
 */
function writtenItem(
  { hidden, image_urls, stock, ...item }: WrittenItem,
  withStock: boolean,
): Partial<WrittenItem> {
  return {
    ...item,
    ...(image_urls.length > 0 ? { image_urls } : {}),
    ...(withStock && stock !== null ? { stock } : {}),
    ...(hidden ? { hidden } : {}),
  };
}
