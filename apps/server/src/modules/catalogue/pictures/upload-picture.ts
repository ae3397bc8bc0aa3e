import { createHash } from "node:crypto";
import { MAX_PICTURE_BYTES, type Picture, paths, pictureSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Database } from "../../../platform/database/database.ts";
import {
  boundLargeBodies,
  type LargeBodies,
} from "../../../platform/http/defences/large-bodies.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { handleError, sendProblem } from "../../../platform/http/problems.ts";
import { post, route } from "../../../platform/http/route.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { limitKeyOf } from "../../staff/index.ts";
import { storePicture, touchPicture } from "./picture-repository.ts";
import type { Preparer } from "./preparer.ts";
import { RENDITIONS_VERSION } from "./renditions.ts";

interface Dependencies {
  readonly database: Database;
  readonly preparer: Pick<Preparer, "prepare">;
}

/**
 * A file that is uploaded again is not prepared again. Once it resolves, the picture is committed
 * and all processes serve it.
 */
export async function uploadPicture(
  file: Uint8Array,
  { database, preparer }: Dependencies,
): Promise<Picture | Refusal> {
  const id = pictureIdOf(file);
  const known = await touchPicture(database.db, id, database.now());
  if (known !== undefined) return known;
  const prepared = await preparer.prepare(file);
  switch (prepared.kind) {
    case "prepared":
      return storePicture(database, id, { ...prepared, at: database.now() });
    case "refused":
      return new Refusal("invalid", { detail: prepared.detail });
    case "failed":
      return new Refusal("unavailable", {
        detail: "The picture could not be prepared. Try again, or upload a smaller one.",
      });
  }
}

/** The hash of the file and of {@link RENDITIONS_VERSION}. */
export function pictureIdOf(file: Uint8Array): string {
  return createHash("sha256")
    .update(`${RENDITIONS_VERSION}:`)
    .update(file)
    .digest("hex")
    .slice(0, 32);
}

const FILE = "application/octet-stream";
const MEGABYTE = 1024 * 1024;

const operation = {
  operationId: "uploadPicture",
  summary: "Upload a picture for an item",
  description: `The body is a file of at most ${MAX_PICTURE_BYTES / MEGABYTE} MB: PNG, JPEG, WebP, AVIF or GIF, detected by its content. The shop stores it upright and without metadata, in several sizes. The \`url\` of the answer is for \`image_url\` or \`image_urls\` of an item; unused pictures are deleted after a day. 503 while too many files are uploaded at once.`,
  permission: "items:write",
  takes: z.object({}),
  takesFile: FILE,
  answers: { 201: pictureSchema },
} satisfies Operation;

/** The only route whose body is a file. It needs a scope of its own. */
export function uploadPictureRoute(
  app: FastifyInstance,
  { database, preparer, largeBodies }: Dependencies & { readonly largeBodies: LargeBodies },
): void {
  boundLargeBodies(app, largeBodies, limitKeyOf);
  app.removeAllContentTypeParsers();
  const whole = { parseAs: "buffer", bodyLimit: MAX_PICTURE_BYTES } as const;
  for (const type of [FILE, /^image\//])
    app.addContentTypeParser(type, whole, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => {
    const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
    if (status === 413) {
      const detail = `A picture may have at most ${MAX_PICTURE_BYTES / MEGABYTE} MB.`;
      return sendProblem(reply.header("Connection", "close"), "too_large", { detail });
    }
    if (status === 415) {
      const detail = `The body must be the file itself, with the content type image/… or ${FILE}.`;
      return sendProblem(reply, "wrong_type", { detail });
    }
    return handleError(error, request.log, reply);
  });
  route(app, post(paths.admin.pictures), operation, async (_input, reply) => {
    const { body } = reply.request;
    const file = body instanceof Uint8Array ? body : new Uint8Array();
    return uploadPicture(file, { database, preparer });
  });
}
