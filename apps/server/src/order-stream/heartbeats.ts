import { HEARTBEAT_INTERVAL } from "@keepsats/protocol";

/** Between two rounds, in milliseconds. */
const ROUND = 1_000;
const ROUNDS = HEARTBEAT_INTERVAL / ROUND;
const heartbeat = Buffer.from(JSON.stringify({ type: "heartbeat" }));

interface Receiver {
  deliver(message: Buffer): void;
}

/** Tells followers that their link is alive. */
export interface Heartbeats<Follower extends Receiver> {
  add(follower: Follower): void;
  remove(follower: Follower): void;
  close(): void;
}

/**
 * Sends a heartbeat to each follower every {@link HEARTBEAT_INTERVAL}. There is one timer for all of them, and the
 * followers are shared out evenly among its rounds, so no round is long.
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
