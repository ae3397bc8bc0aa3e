import type { FastifyInstance, FastifyRequest } from "fastify";
import { sendProblem } from "../problems.ts";

/**
 * The most large bodies in memory at once in this process, and of one holder. Each has at most 16
 * MiB.
 */
const MOST = 5;
const MOST_OF_ONE = 3;

/** The places for requests with large bodies in this process. */
export interface LargeBodies {
  /** Takes a place. @returns what gives it back, once; `undefined` if there is none */
  take(holder: string): (() => void) | undefined;
}

/**
 * One of these is shared by all routes with large bodies, at all doors of the process. Fastify's
 * `bodyLimit` bounds one body, and nothing bounds how many are in memory.
 */
export function createLargeBodies(): LargeBodies {
  const taken = new Map<string, number>();
  let all = 0;

  return {
    take(holder) {
      const own = taken.get(holder) ?? 0;
      if (all >= MOST || own >= MOST_OF_ONE) return undefined;
      all += 1;
      taken.set(holder, own + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        all -= 1;
        const left = (taken.get(holder) ?? 1) - 1;
        if (left === 0) taken.delete(holder);
        else taken.set(holder, left);
      };
    },
  };
}

/**
 * Lets a request of a scope wait for a place of {@link LargeBodies} before anything of its body is
 * read; without one it is answered 503. It has the place until it is handled and its answer is
 * sent, or until its connection ends while the body is read. A body that does not come ends with
 * the timeout of requests, see `connections.ts`. The body of a refused request is read and
 * discarded: if the connection were closed instead, whoever still sends would lose the answer.
 *
 * @param holderOf whose request it is
 */
export function boundLargeBodies(
  scope: FastifyInstance,
  bodies: LargeBodies,
  holderOf: (request: FastifyRequest) => string,
): void {
  const places = new WeakMap<FastifyRequest, () => void>();

  scope.addHook("onRequest", async (request, reply) => {
    const giveBack = bodies.take(holderOf(request));
    if (giveBack === undefined) {
      const detail = "Several large files are being taken already; try again in a moment.";
      return sendProblem(reply, "unavailable", { detail });
    }
    places.set(request, giveBack);
    reply.raw.once("close", giveBack);
  });
  // From here on the body is in memory until the handler answers, even if nobody waits for the
  // answer any more.
  scope.addHook("preHandler", async (request, { raw }) => {
    const giveBack = places.get(request);
    if (giveBack !== undefined) raw.off("close", giveBack);
  });
  scope.addHook("onSend", async (request, { raw }) => {
    const giveBack = places.get(request);
    if (giveBack === undefined) return;
    if (raw.closed) giveBack();
    else raw.once("close", giveBack);
  });
  scope.addHook("onResponse", async (request) => places.get(request)?.());
}
