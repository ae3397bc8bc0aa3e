import type { FastifyInstance } from "fastify";

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
 * `/livez`: the process answers. `/readyz`: it can sell, which needs a database that takes writes. It tells of the bus
 * and the provider too, but they are no reason to stop selling.
 */
export function healthRoutes(
  app: FastifyInstance,
  { checkDatabase, bus, provider, isStopping }: Health,
): void {
  const databaseWrites = believed(() => withinPatience(checkDatabase()));

  app.get("/livez", (_request, reply) => reply.header("Cache-Control", "no-store").send({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    reply.header("Cache-Control", "no-store");
    if (isStopping()) return reply.code(503).send({ status: "stopping" });
    const database = await databaseWrites();
    return reply.code(database ? 200 : 503).send({
      status: database ? "ok" : "database unavailable",
      database: database ? "ok" : "away",
      bus: bus() ? "ok" : "away",
      provider: await provider(),
    });
  });
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
