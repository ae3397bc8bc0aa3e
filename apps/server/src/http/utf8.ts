import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { sendProblem } from "./problems.ts";

const charsetOf = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/**
 * Rejects text that is not UTF-8. A lenient decoder would put replacement characters into names and
 * addresses.
 */
export function acceptOnlyUtf8(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ headers }, reply) => {
    const charset = charsetOf.exec(headers["content-type"] ?? "")?.[1];
    if (charset === undefined || /^utf-?8$/i.test(charset)) return;
    return sendProblem(reply, "wrong_type", { detail: "Text must be in UTF-8." });
  });
  app.removeContentTypeParser(["application/json", "text/plain"]);
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    (request, body, done) => {
      if (isUtf8(body)) parse(request, body.toString(), done);
      else done(Object.assign(new Error("the body is not in UTF-8"), { statusCode: 400 }));
    },
  );
}
