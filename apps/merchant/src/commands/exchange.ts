import { writeFile } from "node:fs/promises";
import { formatMoney } from "@keepsats/domain";
import {
  type ChangedField,
  type ImportAnswer,
  type ItemChange,
  importAnswerSchema,
  itemImportSchema,
  merchantItemsSchema,
  paths,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Client } from "../client.ts";
import { CommandFailed, exitCodes } from "../exit.ts";
import { placeIn, readImport } from "../import-file.ts";
import { difference, json, type Output, printable, shortened } from "../output.ts";

/** The most changes shown; `--json` writes them all. */
const SHOWN_CHANGES = 1_000;
const SHOWN_NAME = 60;

/**
 * `items import FILE`: checks the whole file, then adds and changes all of its items at once, and lists the changes.
 */
export async function importItems(
  client: Client,
  output: Output,
  { file, dryRun }: { file: string; dryRun: boolean },
): Promise<void> {
  const items = await readImport(file);
  output.progress(`${items.length} items checked, sending …`);
  const answer = await client.call({
    method: "POST",
    path: paths.merchant.import,
    query: { dry_run: dryRun ? "1" : undefined },
    body: z.encode(itemImportSchema, { items }),
    answer: importAnswerSchema,
    placeOf: (path) => placeIn(items, path.split(".")),
    onProgress: (sent) => output.progress(sent < 1 ? `Sent ${Math.floor(sent * 100)} %` : "Sent; storing …"),
  });
  if (output.json) return output.line(json(z.encode(importAnswerSchema, answer)));
  output.line(describe(answer, dryRun));
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

function linesOf(change: ItemChange): string[] {
  const id = shortened(change.id, SHOWN_NAME);
  if (change.kind === "added") return [`added    ${id}: ${shortened(change.name, SHOWN_NAME)}`];
  return change.fields.map((changed) => {
    const [before, after] = difference(...wordsFor(changed));
    return `changed  ${id}: ${changed.field} ${before} → ${after}`;
  });
}

function wordsFor(changed: ChangedField): [from: string, to: string] {
  switch (changed.field) {
    case "price":
      return [formatMoney(changed.from), formatMoney(changed.to)];
    case "hidden":
      return [String(changed.from), String(changed.to)];
    case "name":
    case "description":
    case "image_url":
      return [changed.from, changed.to];
  }
}

/** `items export [FILE]`: writes the catalogue in the format of `items import`. An existing file is not overwritten. */
export async function exportItems(client: Client, output: Output, file: string | undefined): Promise<void> {
  const answer = await client.call({ path: paths.merchant.items, answer: merchantItemsSchema });
  const { items } = z.encode(merchantItemsSchema, answer);
  const written = items.map(({ hidden, ...item }) => (hidden ? { ...item, hidden } : item));
  if (file === undefined) return output.line(json({ items: written }, 2));
  await writeFile(file, `${JSON.stringify({ items: written }, null, 2)}\n`, { flag: "wx" }).catch(
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new CommandFailed(exitCodes.usage, printable(`${file} cannot be written: ${why}`));
    },
  );
  output.line(output.json ? json({ exported: items.length }) : `${items.length} items written.`);
}
