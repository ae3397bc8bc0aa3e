import { Readable } from "node:stream";
import type { FieldError } from "@keepsats/domain";
import {
  type ImportAnswer,
  type ImportedItem,
  type ItemPatch,
  type ItemWrite,
  importQuerySchema,
  itemIdSchema,
  itemPatchSchema,
  itemWriteSchema,
  paths,
  type WireMerchantItem,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import { sendInvalid, sendProblem } from "../http/problems.ts";
import { MAX_FAULTS } from "./import-tokens.ts";

const CHANGES_AT_A_TIME = 200;

type Invalid = { readonly kind: "invalid"; readonly errors: readonly FieldError[] };
type Edited =
  | { readonly kind: "stored"; readonly item: WireMerchantItem }
  | { readonly kind: "unknown" }
  | Invalid;

/** What the merchant's routes need of the catalogue; items as they go on the wire. `app.ts` puts it together. */
export interface MerchantCatalogue {
  list(): Promise<readonly WireMerchantItem[]>;
  put(id: string, item: ItemWrite): Promise<Edited>;
  patch(id: string, patch: ItemPatch): Promise<Edited>;
  /** Stores all or nothing; with `dryRun` it only tells what would change. */
  importItems(
    items: readonly ImportedItem[],
    options: { dryRun: boolean },
  ): Promise<{ readonly kind: "imported"; readonly answer: ImportAnswer } | Invalid>;
}

/** The merchant's view of the catalogue, under a scope that has checked the token. */
export function merchantItemRoutes(app: FastifyInstance, catalogue: MerchantCatalogue): void {
  const itemPath = paths.merchant.item;

  app.get(paths.merchant.items, async () => ({ items: await catalogue.list() }));

  app.put<{ Params: { id: string } }>(itemPath, async (request, reply) => {
    const id = itemIdSchema.safeParse(request.params.id);
    if (!id.success)
      return sendProblem(reply, "invalid", {
        errors: [{ path: "id", message: id.error.issues[0]?.message ?? "" }],
      });
    const body = itemWriteSchema.safeParse(request.body);
    if (!body.success) return sendInvalid(reply, body.error);
    return answerEdited(reply, await catalogue.put(id.data, body.data));
  });

  app.patch<{ Params: { id: string } }>(itemPath, async (request, reply) => {
    const body = itemPatchSchema.safeParse(request.body);
    if (!body.success) return sendInvalid(reply, body.error);
    const id = itemIdSchema.safeParse(request.params.id);
    return answerEdited(reply, id.success ? await catalogue.patch(id.data, body.data) : { kind: "unknown" });
  });

  app.register(async (scope) => importRoute(scope, catalogue));
}

/** The one route whose body is read as it comes: it may be large. */
function importRoute(app: FastifyInstance, catalogue: MerchantCatalogue): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", (_request, body, done) => done(null, body));
  app.post(paths.merchant.import, { config: { query: importQuerySchema } }, async (request, reply) => {
    const query = importQuerySchema.safeParse(request.query);
    if (!query.success) return sendInvalid(reply, query.error);
    const { readImport } = await import("./read-import.ts"); // Loaded when it is first used.
    const body = await readImport(request.raw.iterator({ destroyOnReturn: false }));
    switch (body.kind) {
      case "invalid":
        return sendProblem(reply, "invalid", { errors: body.errors });
      case "malformed":
        return sendProblem(reply, "malformed", { detail: body.detail });
      case "too-large":
        return sendProblem(reply.header("Connection", "close"), "too_large");
      case "items": {
        const outcome = await catalogue.importItems(body.items, { dryRun: query.data.dry_run === "1" });
        if (outcome.kind === "imported") return sendImportAnswer(reply, outcome.answer);
        return sendProblem(reply, "invalid", { errors: outcome.errors.slice(0, MAX_FAULTS) });
      }
    }
  });
}

/** Sends an answer that may be as large as an import, a part at a time. */
function sendImportAnswer(reply: FastifyReply, { changes, ...counts }: ImportAnswer): FastifyReply {
  function* parts() {
    yield `${JSON.stringify(counts).slice(0, -1)},"changes":[`;
    for (let start = 0; start < changes.length; start += CHANGES_AT_A_TIME) {
      const part = JSON.stringify(changes.slice(start, start + CHANGES_AT_A_TIME)).slice(1, -1);
      yield start === 0 ? part : `,${part}`;
    }
    yield "]}";
  }
  return reply.type("application/json; charset=utf-8").send(Readable.from(parts()));
}

function answerEdited(reply: FastifyReply, edited: Edited): WireMerchantItem | FastifyReply {
  switch (edited.kind) {
    case "stored":
      return edited.item;
    case "invalid":
      return sendProblem(reply, "invalid", { errors: edited.errors });
    case "unknown":
      return sendProblem(reply, "not_found", { detail: "No item has this id." });
  }
}
