import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";

/** Limits the routes that ask for it in their `config.rateLimit`, per address. */
export async function limitRates(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_request, { statusCode }) =>
      Object.assign(new Error("too many requests"), { statusCode }),
  });
}
