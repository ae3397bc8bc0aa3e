import type { FieldError } from "@keepsats/domain";
import {
  type ImportAnswer,
  type ImportedItem,
  type ItemPatch,
  type ItemWrite,
  importQuerySchema,
  itemIdSchema,
  itemImportSchema,
  itemPatchSchema,
  itemWriteSchema,
  MAX_IMPORT_BYTES,
  paths,
  type WireMerchantItem,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import { sendInvalid, sendProblem } from "../http/problems.ts";

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

  app.post(
    paths.merchant.import,
    { bodyLimit: MAX_IMPORT_BYTES, config: { query: importQuerySchema } },
    async (request, reply) => {
      const query = importQuerySchema.safeParse(request.query);
      if (!query.success) return sendInvalid(reply, query.error);
      const body = itemImportSchema.safeParse(request.body);
      if (!body.success) return sendInvalid(reply, body.error);
      const outcome = await catalogue.importItems(body.data.items, {
        dryRun: query.data.dry_run === "1",
      });
      if (outcome.kind === "invalid") return sendProblem(reply, "invalid", { errors: outcome.errors });
      return outcome.answer;
    },
  );
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
