import { problemType } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import { problem, retryAfter } from "./problems.ts";

interface Health {
  readonly checkDatabase: () => Promise<void>;
  readonly bus: () => boolean;
  readonly provider: () => Promise<string>;
  readonly isStopping: () => boolean;
}

/** How long the database may take to store something, in milliseconds. */
const PATIENCE = 3_000;
/** How long one look at the database is believed, in milliseconds: anyone may ask. */
const BELIEVED = 1_000;

/**
 * `/livez`: the process answers. `/readyz`: it is not about to stop, and it can sell, which needs a database that takes
 * writes. It tells of the bus and the provider too, but they are no reason to stop selling. `/readyz?exclude=database` is
 * for proxies: it leaves out the database, and the provider, whose state is known from there, for visitors are to see the
 * shop while that is away.
 */
export function healthRoutes(
  app: FastifyInstance,
  { checkDatabase, bus, provider, isStopping }: Health,
): void {
  const databaseWrites = believed(() => withinPatience(checkDatabase()));

  app.get("/livez", (_request, reply) => reply.header("Cache-Control", "no-store").send({ status: "ok" }));
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

/** Answers 503 with a problem that also tells how the parts do. */
function sendUnready(reply: FastifyReply, detail: string, parts: Record<string, string> = {}): FastifyReply {
  return reply
    .code(503)
    .type(problemType)
    .header("Retry-After", retryAfter())
    .send(JSON.stringify({ ...problem("unavailable", { detail }), ...parts }));
}

/** Whether the query says to leave a part out. */
function excludes(url: string, part: string): boolean {
  return URL.parse(url, "http://shop")?.searchParams.getAll("exclude").includes(part) ?? false;
}

function withinPatience(work: Promise<void>): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, PATIENCE, false).unref());
  return Promise.race([
    work.then(
      () => true,
      () => false,
    ),
    late,
  ]);
}

/** Asks at most once in a while; calls that come meanwhile get the same answer. */
function believed<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<T> | undefined;
  return () => {
    if (answer === undefined || performance.now() - asked > BELIEVED) {
      asked = performance.now();
      answer = ask();
    }
    return answer;
  };
}
