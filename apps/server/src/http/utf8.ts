import type { FastifyInstance } from "fastify";
import { sendProblem } from "./problems.ts";

const charsetOf = /;\s*charset\s*=\s*"?([^\s;"]*)/i;
/** Node's decoder replaces bytes that are not UTF-8 by this character, which nobody types. */
const REPLACEMENT_CHARACTER = "\uFFFD";

/**
 * Rejects text that is not UTF-8, so that no replacement characters get into names and addresses.
 * Looking for the character costs less per order than validating the bytes before decoding them.
 */
export function acceptOnlyUtf8(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    const type = request.headers["content-type"];
    const charset = type === undefined ? undefined : charsetOf.exec(type)?.[1];
    if (charset === undefined || /^utf-?8$/i.test(charset)) done();
    else sendProblem(reply, "wrong_type", { detail: "Text must be in UTF-8." });
  });
  app.removeContentTypeParser(["application/json", "text/plain"]);
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser<string>(
    "application/json",
    { parseAs: "string" },
    (request, body, done) => {
      if (!body.includes(REPLACEMENT_CHARACTER)) parse(request, body, done);
      else done(Object.assign(new Error("the body is not in UTF-8"), { statusCode: 400 }));
    },
  );
}
