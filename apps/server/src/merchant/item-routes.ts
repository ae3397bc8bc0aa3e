import {
  type ImportAnswer,
  type ImportedItem,
  type ItemPatch,
  type ItemWrite,
  itemIdSchema,
  itemImportSchema,
  itemPatchSchema,
  itemWriteSchema,
  paths,
  type WireMerchantItem,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { sendInvalid, sendProblem } from "../http/problems.ts";

/** What the merchant's routes need of the catalogue; items as they go on the wire. `app.ts` puts it together. */
export interface MerchantCatalogue {
  list(): Promise<readonly WireMerchantItem[]>;
  put(id: string, item: ItemWrite): Promise<WireMerchantItem>;
  patch(id: string, patch: ItemPatch): Promise<WireMerchantItem | undefined>;
  importItems(items: readonly ImportedItem[]): Promise<ImportAnswer>;
}

const MAX_IMPORT_BYTES = 64 * 1024 * 1024;

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
    return catalogue.put(id.data, body.data);
  });

  app.patch<{ Params: { id: string } }>(itemPath, async (request, reply) => {
    const body = itemPatchSchema.safeParse(request.body);
    if (!body.success) return sendInvalid(reply, body.error);
    const id = itemIdSchema.safeParse(request.params.id);
    const item = id.success ? await catalogue.patch(id.data, body.data) : undefined;
    if (item === undefined) return sendProblem(reply, "not_found", { detail: "No item has this id." });
    return item;
  });

  app.post(paths.merchant.import, { bodyLimit: MAX_IMPORT_BYTES }, async (request, reply) => {
    const body = itemImportSchema.safeParse(request.body);
    if (!body.success) return sendInvalid(reply, body.error);
    return catalogue.importItems(body.data.items);
  });
}
