import { createClient } from "redis";
import { backoff } from "../scheduling/clock.ts";
import type { WindowCounters } from "./limit.ts";

/** The maximum number of queued commands; a further one fails at once. */
const MAX_WAITING = 20_000;

const COUNT = `local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }`;

/**
 * Counters that all processes share in Redis. While it is disconnected, every count fails at once.
 *
 * @param prefix unique to this shop, because several shops may share a Redis
 */
export function createRedisCounters(url: string, prefix: string): WindowCounters {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_WAITING,
    socket: {
      connectTimeout: 5_000,
      reconnectStrategy: (failures) => backoff(failures, 100, 5_000),
    },
  });
  // The caller of a failed count reports it. The client reconnects by itself.
  client.on("error", () => {});
  client.connect().catch(() => {});
  return {
    async count(key, length) {
      const answer = await client.eval(COUNT, {
        keys: [`${prefix}:${key}`],
        arguments: [String(length)],
      });
      if (!Array.isArray(answer)) throw new Error("Redis returned no count");
      return { count: Number(answer[0]), endsIn: Number(answer[1]) };
    },
    async close() {
      if (client.isOpen) client.destroy();
    },
  };
}
