import { Readable } from "node:stream";
import type { FieldError } from "@keepsats/domain";
import {
  type ImportAnswer,
  type ImportedItem,
  importAnswerSchema,
  itemChangesSchema,
  itemImportSchema,
  MAX_IMPORT_BYTES,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { codeOf } from "../../../platform/errors.ts";
import {
  boundLargeBodies,
  type LargeBodies,
} from "../../../platform/http/defences/large-bodies.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { sendProblem } from "../../../platform/http/problems.ts";
import { parseRequest, refuseInvalid } from "../../../platform/http/route.ts";
import { slices } from "../../../platform/scheduling/slices.ts";
import { limitKeyOf, reauthorize } from "../../staff/index.ts";
import type { EditCatalogue } from "../edit-catalogue.ts";
import { MAX_ERRORS } from "./collect-items.ts";
import type { ReadJson } from "./read-json.ts";

const MAX_CHANGES_PER_BATCH = 200;
const CSV = "text/csv";

const query = z.strictObject({ dry_run: z.optional(z.enum(["1"])) });

const operation = {
  operationId: "importItems",
  summary: "Add and change many items",
  description: [
    "Stores all items, or none if one is invalid. With `dry_run=1` the changes are returned but not stored.",
    "- The body is JSON or, with the content type text/csv, a UTF-8 table with commas, semicolons or tabs. Its header row names the fields of an item; image_urls are separated by spaces.",
    "- Existing items keep the fields that are omitted. An empty cell of name, description, price or image_url leaves the field unchanged, too.",
    "- An id that is empty, or omitted in JSON, is derived from the name.",
    "- An empty stock means that the item is not counted.",
    "- Errors in CSV have paths such as lines.17.price, with the line of the file.",
  ].join("\n"),
  permission: "items:write",
  takes: z.object({ query, body: itemImportSchema }),
  takesFile: CSV,
  answers: { 200: importAnswerSchema },
} satisfies Operation;

/** The body is validated while it is read. */
const withoutBody = { ...operation, takes: z.object({ query }) };

type ReadBody =
  | {
      readonly kind: "items";
      readonly items: readonly ImportedItem[];
      /** Returns the path of an item, such as `items.0`, or `lines.2` in CSV. */
      readonly pathOf: (index: number) => string;
      /** The errors of single items. */
      readonly errors: readonly FieldError[];
    }
  | Exclude<ReadJson, { kind: "items" | "invalid" }>;

interface Options {
  readonly db: Queries;
  readonly editCatalogue: Pick<EditCatalogue, "importItems">;
  readonly largeBodies: LargeBodies;
}

/** The only route whose body is validated while it arrives, because it may be large. */
export function importItemsRoute(
  app: FastifyInstance,
  { db, editCatalogue, largeBodies }: Options,
): void {
  boundLargeBodies(app, largeBodies, limitKeyOf);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(["application/json", CSV], (_request, body, done) => done(null, body));
  app.post(paths.admin.import, { config: { operation } }, async (request, reply) => {
    const input = parseRequest(withoutBody, request);
    if (!input.success) return refuseInvalid(reply, operation, input.error.issues);
    const body = await readBody(request);
    switch (body.kind) {
      case "malformed":
        return sendProblem(reply, "malformed", { detail: body.detail });
      case "too-large":
        return sendProblem(reply.header("Connection", "close"), "too_large");
      case "items": {
        if (body.errors.length >= MAX_ERRORS)
          return sendProblem(reply, "invalid", { errors: body.errors });
        await reauthorize(db, request);
        const outcome = await editCatalogue.importItems(body.items, {
          dryRun: input.data.query.dry_run === "1" || body.errors.length > 0,
        });
        const isImported = outcome.kind === "imported";
        if (isImported && body.errors.length === 0) return sendImportAnswer(reply, outcome.answer);
        const planned = isImported
          ? []
          : outcome.errors.map((error) => located(error, body.pathOf));
        return sendProblem(reply, "invalid", { errors: allErrors(body.errors, planned) });
      }
    }
  });
}

/** Replaces the index of the planned item by the path of the item in the body. */
function located({ path, message }: FieldError, pathOf: (index: number) => string): FieldError {
  return { path: path.replace(/^items\.(\d+)/, (_, index) => pathOf(Number(index))), message };
}

/** Merges the errors in file order. An invalid field is not also reported as missing. */
function allErrors(read: readonly FieldError[], planned: readonly FieldError[]): FieldError[] {
  const known = new Set(read.map(({ path }) => path));
  const rowOf = ({ path }: FieldError) => Number(path.split(".")[1] ?? 0);
  return [...read, ...planned.filter(({ path }) => !known.has(path))]
    .sort((one, other) => rowOf(one) - rowOf(other))
    .slice(0, MAX_ERRORS);
}

/** The parsers are loaded at the first import, to keep the start fast. */
async function readBody({ raw, headers }: FastifyRequest): Promise<ReadBody> {
  const body = raw.iterator({ destroyOnReturn: false });
  if (headers["content-type"]?.startsWith(CSV) !== true) {
    const { readJson } = await import("./read-json.ts");
    const read = await readJson(body);
    if (read.kind === "items") return { ...read, pathOf: (index) => `items.${index}`, errors: [] };
    if (read.kind !== "invalid") return read;
    return { ...read, kind: "items", pathOf: (index) => `items.${read.indexes[index]}` };
  }
  const { readCsv } = await import("./read-csv.ts");
  const text = await readText(body);
  if (text.kind !== "text") return text;
  const read = await readCsv(text.pieces);
  const errors = read.kind === "invalid" ? read.errors : [];
  return {
    kind: "items",
    items: read.items,
    pathOf: (index) => `lines.${read.lines[index]}`,
    errors,
  };
}

/** The text of a body, split anywhere, or why there is none. */
type ReadText =
  | { readonly kind: "text"; readonly pieces: readonly string[] }
  | { readonly kind: "malformed"; readonly detail: string }
  | { readonly kind: "too-large" };

async function readText(body: AsyncIterable<Buffer>): Promise<ReadText> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > MAX_IMPORT_BYTES) return { kind: "too-large" };
      chunks.push(chunk);
    }
  } catch (error) {
    if (codeOf(error) !== "ECONNRESET") throw error;
    return { kind: "malformed", detail: "The body ended early." };
  }
  try {
    return {
      kind: "text",
      pieces: [...chunks.map((chunk) => decoder.decode(chunk, { stream: true })), decoder.decode()],
    };
  } catch {
    return { kind: "malformed", detail: "The body must be CSV in UTF-8." };
  }
}

/** Streams the answer, because it may be as large as an import. */
function sendImportAnswer(reply: FastifyReply, { changes, ...counts }: ImportAnswer): FastifyReply {
  function* parts() {
    yield `${JSON.stringify(counts).slice(0, -1)},"changes":[`;
    let separator = "";
    for (const slice of slices(changes, MAX_CHANGES_PER_BATCH)) {
      yield separator + JSON.stringify(z.encode(itemChangesSchema, slice)).slice(1, -1);
      separator = ",";
    }
    yield "]}";
  }
  return reply.type("application/json; charset=utf-8").send(Readable.from(parts()));
}
