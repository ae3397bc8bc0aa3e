import { createClient } from "redis";
import type { Windows } from "./windows.ts";

/** The most counts that wait for Redis; a further one fails at once. */
const MAX_WAITING = 20_000;

const COUNT = `local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }`;

/** Windows that all server processes share in Redis. While it is away every count fails at once. */
export function createRedisWindows(url: string): Windows {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_WAITING,
    socket: { connectTimeout: 5_000, reconnectStrategy: (failures) => Math.min(100 * 2 ** failures, 5_000) },
  });
  // Each count that fails is told of; the client itself goes on trying.
  client.on("error", () => {});
  client.connect().catch(() => {});
  return {
    async count(key, length) {
      const answer = await client.eval(COUNT, { keys: [`keepsats:${key}`], arguments: [String(length)] });
      if (!Array.isArray(answer)) throw new Error("Redis gave no count");
      return { count: Number(answer[0]), endsIn: Number(answer[1]) };
    },
    async close() {
      if (client.isOpen) client.destroy();
    },
  };
}
