import type { FastifyInstance, FastifyRequest } from "fastify";
import { sendProblem } from "../problems.ts";

/**
 * The maximum number of large bodies in memory, in all and of one client; each has up to 16 MiB.
 */
const MAX_TOTAL = 5;
const MAX_PER_CLIENT = 3;

/** The slots for requests with large bodies in this process. */
export interface LargeBodies {
  /** @returns a function that releases the slot, once; `undefined` if no slot is free */
  take(client: string): (() => void) | undefined;
}

/**
 * All routes with large bodies share one of these, on both listeners. Fastify's `bodyLimit` limits
 * one body, but not how many are in memory.
 */
export function createLargeBodies(): LargeBodies {
  const taken = new Map<string, number>();
  let total = 0;

  return {
    take(client) {
      const own = taken.get(client) ?? 0;
      if (total >= MAX_TOTAL || own >= MAX_PER_CLIENT) return undefined;
      total += 1;
      taken.set(client, own + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        total -= 1;
        const left = (taken.get(client) ?? 1) - 1;
        if (left === 0) taken.delete(client);
        else taken.set(client, left);
      };
    },
  };
}

/**
 * Requests of a scope need a slot of {@link LargeBodies} before their body is read; without one
 * they are answered 503. A request holds its slot until its answer is sent, or its connection
 * closes while the body is read. The request timeout (`connections.ts`) ends a body that does not
 * arrive. The body of a refused request is read and discarded: closing the connection instead would
 * lose the answer for a client that is still sending.
 *
 * @param clientOf the client whose slots a request uses
 */
export function boundLargeBodies(
  scope: FastifyInstance,
  bodies: LargeBodies,
  clientOf: (request: FastifyRequest) => string,
): void {
  const slots = new WeakMap<FastifyRequest, () => void>();

  scope.addHook("onRequest", async (request, reply) => {
    const release = bodies.take(clientOf(request));
    if (release === undefined) {
      const detail = "Several large files are already being uploaded. Try again in a moment.";
      return sendProblem(reply, "unavailable", { detail });
    }
    slots.set(request, release);
    reply.raw.once("close", release);
  });
  // From here on the body stays in memory until the handler ends, even if the client disconnects.
  scope.addHook("preHandler", async (request, { raw }) => {
    const release = slots.get(request);
    if (release !== undefined) raw.off("close", release);
  });
  scope.addHook("onSend", async (request, { raw }) => {
    const release = slots.get(request);
    if (release === undefined) return;
    if (raw.closed) release();
    else raw.once("close", release);
  });
  scope.addHook("onResponse", async (request) => slots.get(request)?.());
}
