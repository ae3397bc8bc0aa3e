import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";
import {
  type ImportAnswer,
  importAnswerSchema,
  itemChangesSchema,
  itemImportSchema,
  MAX_IMPORT_BYTES,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import {
  boundLargeBodies,
  type LargeBodies,
} from "../../../platform/http/defences/large-bodies.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { sendProblem, sendRefusal } from "../../../platform/http/problems.ts";
import { parseRequest, refuseInvalid } from "../../../platform/http/route.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { slices } from "../../../platform/scheduling/slices.ts";
import { limitKeyOf, reauthorize } from "../../staff/index.ts";
import type { EditCatalogue } from "../edit-catalogue.ts";
import type { CollectedItems } from "./collect-items.ts";
import { readJson } from "./read-json.ts";

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

/** The items of the body are validated one at a time. */
const withoutBody = { ...operation, takes: z.object({ query }) };

interface Options {
  readonly db: Queries;
  readonly editCatalogue: Pick<EditCatalogue, "importItems">;
  readonly largeBodies: LargeBodies;
}

/** Accepts large bodies, so it needs a scope of its own. */
export function importItemsRoute(
  app: FastifyInstance,
  { db, editCatalogue, largeBodies }: Options,
): void {
  boundLargeBodies(app, largeBodies, limitKeyOf);
  app.removeAllContentTypeParsers();
  const whole = { parseAs: "buffer", bodyLimit: MAX_IMPORT_BYTES } as const;
  app.addContentTypeParser(["application/json", CSV], whole, (_request, body, done) =>
    done(null, body),
  );
  app.post(paths.admin.import, { config: { operation } }, async (request, reply) => {
    const input = parseRequest(withoutBody, request);
    if (!input.success) return refuseInvalid(reply, operation, input.error.issues);
    const read = await readBody(request);
    if (read instanceof Refusal) return sendRefusal(reply, read);
    const { items, errors, paths: itemPaths } = read;
    if (errors.length > 0) return sendProblem(reply, "invalid", { errors });
    await reauthorize(db, request);
    const dryRun = input.data.query.dry_run === "1";
    const answer = await editCatalogue.importItems(items, { dryRun, itemPaths });
    return answer instanceof Refusal ? sendRefusal(reply, answer) : sendImportAnswer(reply, answer);
  });
}

async function readBody({ body, headers }: FastifyRequest): Promise<CollectedItems | Refusal> {
  const bytes = body instanceof Uint8Array ? body : new Uint8Array();
  if (!isUtf8(bytes)) return new Refusal("malformed", { detail: "The body must be in UTF-8." });
  // Removes a byte order mark.
  const text = new TextDecoder().decode(bytes);
  if (headers["content-type"]?.startsWith(CSV) !== true) return readJson(text);
  // Loaded at the first import, to keep the start fast.
  const { readCsv } = await import("./read-csv.ts");
  return readCsv(text);
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
