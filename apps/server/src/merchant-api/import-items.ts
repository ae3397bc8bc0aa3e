import { Readable } from "node:stream";
import {
  type ImportAnswer,
  importAnswerSchema,
  itemChangesSchema,
  itemImportSchema,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { EditCatalogue } from "../catalogue/edit-catalogue.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { refuse, take } from "../http/route.ts";
import { MAX_FAULTS } from "./import-tokens.ts";

const CHANGES_AT_A_TIME = 200;

/** With `dry_run=1` the changes are returned and not made. */
const query = z.strictObject({ dry_run: z.optional(z.enum(["1"])) });

const operation = {
  operationId: "importItems",
  summary: "Add and change many items",
  tag: "merchant",
  auth: "merchant",
  takes: z.object({ query, body: itemImportSchema }),
  answers: { 200: importAnswerSchema },
} satisfies Operation;

/** The body is read by itself. */
const withoutBody = { ...operation, takes: z.object({ query }) };

/** The only route whose body is read and checked while it arrives, because it may be large. */
export function importItemsRoute(app: FastifyInstance, edit: EditCatalogue): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", (_request, body, done) => done(null, body));
  app.post(paths.merchant.import, { config: { operation } }, async (request, reply) => {
    const taken = take(withoutBody, request);
    if (!taken.success) return refuse(reply, operation, taken.error.issues);
    const { readImport } = await import("./read-import.ts"); // Loaded at the first import, to keep the start fast.
    const body = await readImport(request.raw.iterator({ destroyOnReturn: false }));
    switch (body.kind) {
      case "invalid":
        return sendProblem(reply, "invalid", { errors: body.errors });
      case "malformed":
        return sendProblem(reply, "malformed", { detail: body.detail });
      case "too-large":
        return sendProblem(reply.header("Connection", "close"), "too_large");
      case "items": {
        const outcome = await edit.importItems(body.items, { dryRun: taken.data.query.dry_run === "1" });
        if (outcome.kind === "imported") return sendImportAnswer(reply, outcome.answer);
        return sendProblem(reply, "invalid", { errors: outcome.errors.slice(0, MAX_FAULTS) });
      }
    }
  });
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
