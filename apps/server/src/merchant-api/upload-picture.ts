import { MAX_PICTURE_BYTES, paths, pictureSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { boundLargeBodies, type LargeBodies } from "../http/defences/large-bodies.ts";
import type { Operation } from "../http/operation.ts";
import { handleError, sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import type { KeepPicture } from "../pictures/keep-picture.ts";
import { holderOf } from "./actor-of.ts";

const FILE = "application/octet-stream";
const MEGABYTE = 1024 * 1024;

const operation = {
  operationId: "uploadPicture",
  summary: "Upload a picture for an item",
  description: `The body is a file with at most ${MAX_PICTURE_BYTES / MEGABYTE} MB: PNG, JPEG, WebP, AVIF or GIF, judged by its content. The shop keeps it, turned upright and without metadata, in several sizes. The answer's url is for image_url or image_urls of an item; a picture that nothing uses is deleted after a day. 503 while too many files are taken at once.`,
  tag: "merchant",
  permission: "items:write",
  takes: z.object({}),
  takesFile: FILE,
  answers: { 201: pictureSchema },
} satisfies Operation;

/** The only route whose body is a file; the scope is its own. */
export function uploadPictureRoute(
  app: FastifyInstance,
  {
    keepPicture,
    largeBodies,
  }: { readonly keepPicture: KeepPicture; readonly largeBodies: LargeBodies },
): void {
  boundLargeBodies(app, largeBodies, holderOf);
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
      const detail = `The body is the file itself, with the content type image/… or ${FILE}.`;
      return sendProblem(reply, "wrong_type", { detail });
    }
    return handleError(error, request.log, reply);
  });
  const place = { method: "POST", path: paths.merchant.pictures } as const;
  route(app, place, operation, async (_taken, reply) => {
    const { body } = reply.request;
    const kept = await keepPicture(body instanceof Uint8Array ? body : new Uint8Array());
    switch (kept.kind) {
      case "kept":
        return kept.picture;
      case "refused":
        return sendProblem(reply, "invalid", { detail: kept.words });
      case "failed":
        return sendProblem(reply, "unavailable", {
          detail: "The picture could not be prepared; try again, or try a smaller one.",
        });
    }
  });
}
