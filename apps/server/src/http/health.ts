import type { FastifyInstance } from "fastify";

/** `/livez`: the process answers. `/readyz`: it can sell, which needs the database and no provider. */
export function healthRoutes(
  app: FastifyInstance,
  { checkDatabase, isStopping }: { checkDatabase: () => Promise<void>; isStopping: () => boolean },
): void {
  app.get("/livez", (_request, reply) => reply.header("Cache-Control", "no-store").send({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    reply.header("Cache-Control", "no-store");
    if (isStopping()) return reply.code(503).send({ status: "stopping" });
    try {
      await checkDatabase();
      return { status: "ok" };
    } catch (error) {
      request.log.error({ err: error }, "the database does not answer");
      return reply.code(503).send({ status: "database unavailable" });
    }
  });
}
