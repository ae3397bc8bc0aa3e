import { HEARTBEAT_INTERVAL } from "@keepsats/protocol";

/** In milliseconds. */
const ROUND = 1_000;
const ROUNDS = HEARTBEAT_INTERVAL / ROUND;
const heartbeat = Buffer.from(JSON.stringify({ type: "heartbeat" }));

interface Receiver {
  deliver(message: Buffer): void;
}

/** Heartbeat messages let a page detect a dead connection. */
export interface Heartbeats<Subscriber extends Receiver> {
  /** Sends the first heartbeat at once: it tells the page that this server sends heartbeats. */
  add(subscriber: Subscriber): void;
  remove(subscriber: Subscriber): void;
  close(): void;
}

/**
 * One timer serves all subscribers. Each of its rounds serves an equal share of them, so that no
 * round blocks the event loop for long.
 */
export function createHeartbeats<Subscriber extends Receiver>(): Heartbeats<Subscriber> {
  const rounds = Array.from({ length: ROUNDS }, () => new Set<Subscriber>());
  let round = 0;

  const beating = setInterval(() => {
    round = (round + 1) % ROUNDS;
    for (const subscriber of rounds[round] ?? []) subscriber.deliver(heartbeat);
  }, ROUND);
  beating.unref();

  return {
    add(subscriber) {
      smallest(rounds).add(subscriber);
      subscriber.deliver(heartbeat);
    },
    remove(subscriber) {
      for (const subscribers of rounds) if (subscribers.delete(subscriber)) return;
    },
    close: () => clearInterval(beating),
  };
}

function smallest<Subscriber>(rounds: readonly Set<Subscriber>[]): Set<Subscriber> {
  return rounds.reduce((least, subscribers) =>
    subscribers.size < least.size ? subscribers : least,
  );
}
