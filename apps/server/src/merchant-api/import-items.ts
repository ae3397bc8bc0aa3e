import { Readable } from "node:stream";
import type { FieldError } from "@keepsats/domain";
import {
  type ImportAnswer,
  type ImportedItem,
  importAnswerSchema,
  itemChangesSchema,
  itemImportSchema,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { EditCatalogue } from "../catalogue/edit-catalogue.ts";
import type { Queries } from "../db/database.ts";
import { boundLargeBodies, type LargeBodies } from "../http/defences/large-bodies.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { refuse, take } from "../http/route.ts";
import { holderOf } from "./actor-of.ts";
import { MAX_FAULTS } from "./import-tokens.ts";
import { checkAgain } from "./let-in.ts";
import type { ReadImport } from "./read-import.ts";
import { readText } from "./read-text.ts";

const CHANGES_AT_A_TIME = 200;
const CSV = "text/csv";

/** With `dry_run=1` the changes are returned and not made. */
const query = z.strictObject({ dry_run: z.optional(z.enum(["1"])) });

const operation = {
  operationId: "importItems",
  summary: "Add and change many items",
  description:
    "Stores all items, or none if one is invalid. Existing items keep the fields that are omitted. The body is JSON or, with the content type text/csv, a UTF-8 table with commas, semicolons or tabs, whose header row names the fields of an item; image_urls are separated by spaces. An empty cell of name, description, price or image_url leaves the field unchanged. An id that is empty, or omitted in JSON, is made from the name. An empty stock means that the item is not counted. Errors in CSV have paths such as lines.17.price, with the line of the file.",
  tag: "merchant",
  permission: "items:write",
  takes: z.object({ query, body: itemImportSchema }),
  takesFile: CSV,
  answers: { 200: importAnswerSchema },
} satisfies Operation;

/** The body is read by itself. */
const withoutBody = { ...operation, takes: z.object({ query }) };

/**
 * The items of a body, and where each of them is in it: the path of the first is `items.0`, or
 * `lines.2` in CSV.
 */
type ReadBody =
  | {
      readonly kind: "items";
      readonly items: readonly ImportedItem[];
      readonly placeOf: (index: number) => string;
      /** Errors in single items. */
      readonly errors: readonly FieldError[];
    }
  | Exclude<ReadImport, { kind: "items" | "invalid" }>;

interface Options {
  readonly db: Queries;
  readonly editCatalogue: Pick<EditCatalogue, "importItems">;
  readonly largeBodies: LargeBodies;
}

/** The only route whose body is read and checked while it arrives, because it may be large. */
export function importItemsRoute(
  app: FastifyInstance,
  { db, editCatalogue, largeBodies }: Options,
): void {
  boundLargeBodies(app, largeBodies, holderOf);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(["application/json", CSV], (_request, body, done) => done(null, body));
  app.post(paths.merchant.import, { config: { operation } }, async (request, reply) => {
    const taken = take(withoutBody, request);
    if (!taken.success) return refuse(reply, operation, taken.error.issues);
    const body = await readBody(request);
    switch (body.kind) {
      case "malformed":
        return sendProblem(reply, "malformed", { detail: body.detail });
      case "too-large":
        return sendProblem(reply.header("Connection", "close"), "too_large");
      case "items": {
        if (body.errors.length >= MAX_FAULTS)
          return sendProblem(reply, "invalid", { errors: body.errors });
        await checkAgain(db, request);
        const outcome = await editCatalogue.importItems(body.items, {
          dryRun: taken.data.query.dry_run === "1" || body.errors.length > 0,
        });
        const isImported = outcome.kind === "imported";
        if (isImported && body.errors.length === 0) return sendImportAnswer(reply, outcome.answer);
        const planned = isImported
          ? []
          : outcome.errors.map((error) => placed(error, body.placeOf));
        return sendProblem(reply, "invalid", { errors: allErrors(body.errors, planned) });
      }
    }
  });
}

function placed({ path, message }: FieldError, placeOf: (index: number) => string): FieldError {
  return { path: path.replace(/^items\.(\d+)/, (_, index) => placeOf(Number(index))), message };
}

/** Merges the errors in file order. An invalid field is not also reported as missing. */
function allErrors(read: readonly FieldError[], planned: readonly FieldError[]): FieldError[] {
  const known = new Set(read.map(({ path }) => path));
  const rowOf = ({ path }: FieldError) => Number(path.split(".")[1] ?? 0);
  return [...read, ...planned.filter(({ path }) => !known.has(path))]
    .sort((one, other) => rowOf(one) - rowOf(other))
    .slice(0, MAX_FAULTS);
}

/** The readers are loaded at the first import, to keep the start fast. */
async function readBody({ raw, headers }: FastifyRequest): Promise<ReadBody> {
  const body = raw.iterator({ destroyOnReturn: false });
  if (headers["content-type"]?.startsWith(CSV) !== true) {
    const { readImport } = await import("./read-import.ts");
    const read = await readImport(body);
    if (read.kind === "items") return { ...read, placeOf: (index) => `items.${index}`, errors: [] };
    if (read.kind !== "invalid") return read;
    return { ...read, kind: "items", placeOf: (index) => `items.${read.indexes[index]}` };
  }
  const { readCsv } = await import("./read-csv.ts");
  const text = await readText(body);
  if (text.kind !== "text") return text;
  const read = await readCsv(text.pieces);
  const errors = read.kind === "invalid" ? read.errors : [];
  return {
    kind: "items",
    items: read.items,
    placeOf: (index) => `lines.${read.lines[index]}`,
    errors,
  };
}

/** Sends an answer in parts, because it may be as large as an import. */
function sendImportAnswer(reply: FastifyReply, { changes, ...counts }: ImportAnswer): FastifyReply {
  function* parts() {
    yield `${JSON.stringify(counts).slice(0, -1)},"changes":[`;
    for (let start = 0; start < changes.length; start += CHANGES_AT_A_TIME) {
      const slice = z.encode(itemChangesSchema, changes.slice(start, start + CHANGES_AT_A_TIME));
      const part = JSON.stringify(slice).slice(1, -1);
      yield start === 0 ? part : `,${part}`;
    }
    yield "]}";
  }
  return reply.type("application/json; charset=utf-8").send(Readable.from(parts()));
}
