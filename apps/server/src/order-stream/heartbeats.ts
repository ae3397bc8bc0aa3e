import { HEARTBEAT_INTERVAL } from "@keepsats/protocol";

/** The interval between two rounds, in milliseconds. */
const ROUND = 1_000;
const ROUNDS = HEARTBEAT_INTERVAL / ROUND;
const heartbeat = Buffer.from(JSON.stringify({ type: "heartbeat" }));

interface Receiver {
  deliver(message: Buffer): void;
}

/**
 * Sends heartbeat messages to followers, so that they can tell a dead connection from a quiet one.
 */
export interface Heartbeats<Follower extends Receiver> {
  /**
   * Sends the first heartbeat at once: it tells the page that this server sends heartbeats at all.
   */
  add(follower: Follower): void;
  remove(follower: Follower): void;
  close(): void;
}

/**
 * Sends a heartbeat to each follower every {@link HEARTBEAT_INTERVAL}. One timer serves all
 * followers; each of its rounds serves an equal share of them, so that no round blocks the event
 * loop for long.
 */
export function createHeartbeats<Follower extends Receiver>(): Heartbeats<Follower> {
  const rounds = Array.from({ length: ROUNDS }, () => new Set<Follower>());
  let round = 0;

  const beating = setInterval(() => {
    round = (round + 1) % ROUNDS;
    for (const follower of rounds[round] ?? []) follower.deliver(heartbeat);
  }, ROUND);
  beating.unref();

  return {
    add(follower) {
      smallest(rounds).add(follower);
      follower.deliver(heartbeat);
    },
    remove(follower) {
      for (const followers of rounds) if (followers.delete(follower)) return;
    },
    close: () => clearInterval(beating),
  };
}

function smallest<Follower>(rounds: readonly Set<Follower>[]): Set<Follower> {
  return rounds.reduce((least, followers) => (followers.size < least.size ? followers : least));
}
