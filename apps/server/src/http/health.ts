import { problemType } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import { withTimeout } from "../clock.ts";
import { problem, retryAfter } from "./problems.ts";

interface Health {
  readonly checkDatabase: () => Promise<void>;
  readonly bus: () => boolean;
  readonly provider: () => Promise<string>;
  readonly isStopping: () => boolean;
}

/** The timeout of the write that checks the database, in milliseconds. */
const WRITE_TIMEOUT = 3_000;
/** How long the result of a check is reused, in milliseconds, because anybody may ask for it. */
const REUSED_FOR = 1_000;

/**
 * `/livez` always answers 200. `/readyz` answers 200 while the server is not stopping and its
 * database is writable; it also reports the bus and the provider, without which the shop still
 * sells.
 *
 * `/readyz?exclude=database` is for proxies, so that visitors see the shop while the database is
 * unavailable. It leaves out the database, and the provider too, because the provider's state is
 * read from the database.
 */
export function healthRoutes(
  app: FastifyInstance,
  { checkDatabase, bus, provider, isStopping }: Health,
): void {
  const databaseWrites = cached(() =>
    withTimeout(checkDatabase(), WRITE_TIMEOUT, "the database").then(
      () => true,
      () => false,
    ),
  );

  app.get("/livez", (_request, reply) =>
    reply.header("Cache-Control", "no-store").send({ status: "ok" }),
  );
  app.get("/readyz", async (request, reply) => {
    reply.header("Cache-Control", "no-store");
    if (isStopping()) return sendUnready(reply, "The server is stopping.");
    const own = { bus: bus() ? "ok" : "away" };
    if (excludes(request.url, "database")) return { status: "ok", ...own };
    if (!(await databaseWrites()))
      return sendUnready(reply, "The database takes no writes.", { database: "away", ...own });
    return { status: "ok", database: "ok", ...own, provider: await provider() };
  });
}

/** Answers 503 with a problem that also has the state of each part. */
function sendUnready(
  reply: FastifyReply,
  detail: string,
  parts: Record<string, string> = {},
): FastifyReply {
  return reply
    .code(503)
    .type(problemType)
    .header("Retry-After", retryAfter())
    .send(JSON.stringify({ ...problem("unavailable", { detail }), ...parts }));
}

/** Whether the query excludes a part, as in `/readyz?exclude=database`. */
function excludes(url: string, part: string): boolean {
  return URL.parse(url, "http://shop")?.searchParams.getAll("exclude").includes(part) ?? false;
}

/** Asks at most once in {@link REUSED_FOR}; calls in between get the same answer. */
function cached<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<T> | undefined;
  return () => {
    if (answer === undefined || performance.now() - asked > REUSED_FOR) {
      asked = performance.now();
      answer = ask();
    }
    return answer;
  };
}
