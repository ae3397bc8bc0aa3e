import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";

/** The faults that the sandbox can simulate for its API. */
export const outages = ["none", "down", "error", "html", "slow", "busy"] as const;
export type Outage = (typeof outages)[number];

/**
 * The faults that the mailbox can simulate. `slow`: it takes 3 seconds to accept an email. `later`:
 * it refuses emails temporarily (451). `refuse`: it refuses them permanently (550). `half`: it
 * reads an email and closes the connection without a response. `down`: it closes every connection
 * at once.
 */
export const mailFaults = ["none", "slow", "later", "refuse", "half", "down"] as const;
export type MailFault = (typeof mailFaults)[number];

export type FaultSwitch<Fault extends string> = ReturnType<typeof createFaultSwitch<Fault>>;

export function createFaultSwitch<Fault extends string>(now: () => number) {
  let fault: Fault | "none" = "none";
  let until = 0;
  return {
    current: (): Fault | "none" => (now() < until ? fault : "none"),
    /** Starts a fault that ends by itself. */
    set(next: Fault, seconds: number): void {
      fault = next;
      until = now() + seconds * 1000;
    },
  };
}

/** Turns faults on and off: `PUT` with `{"kind": "down", "seconds": 20}`. */
export function faultRoute<Fault extends string>(
  app: FastifyInstance,
  path: string,
  kinds: readonly Fault[],
  fault: FaultSwitch<Fault>,
): void {
  const schema = z.object({
    kind: z.enum(kinds),
    seconds: z.number().check(z.gte(0), z.lte(3_600)),
  });
  app.put(path, (request, reply) => {
    const { data } = schema.safeParse(request.body);
    if (data === undefined)
      return reply
        .code(422)
        .send({ error: `kind must be one of ${kinds.join(", ")}; seconds a number` });
    fault.set(data.kind, data.seconds);
    return reply.code(204).send();
  });
}
