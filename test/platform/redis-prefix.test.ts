import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterEach, expect, inject, test } from "vitest";
import type { Change } from "../../apps/server/src/platform/events/bus.ts";
import { openResources, type Resources } from "../../apps/server/src/platform/resources.ts";
import { newDatabase } from "../harness/postgres.ts";
import { startRedis } from "../harness/services.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const redis = useResource(() => startRedis());

const servers: Resources[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Opens the components of a server, and waits until they are connected to Redis. */
async function openServer(url: string, redisPrefix?: string): Promise<Resources> {
  const config = { database: { kind: "postgres", url }, redisUrl: redis.url, redisPrefix } as const;
  const server = await openResources(config, pino({ level: "silent" }));
  servers.push(server);
  await waitFor("the bus", () => server.bus.health.connected);
  return server;
}

function changesReceivedBy({ bus }: Resources): Change[] {
  const received: Change[] = [];
  bus.subscribe((change) => received.push(change));
  return received;
}

const anOrder = (): Change => ({ topic: "order", id: randomUUID(), version: 2 });
const has = (received: readonly Change[], wanted: Change) =>
  received.some((change) => JSON.stringify(change) === JSON.stringify(wanted));

test.each([
  ["by default", undefined, undefined],
  ["with prefixes of their own on copies of one database", "first", "second"],
])("two shops on one Redis do not share events, %s", async (_, onePrefix, otherPrefix) => {
  const one = await newDatabase(inject("postgresUrl"));
  const other = onePrefix === undefined ? await newDatabase(inject("postgresUrl")) : one;
  const [first, second] = [await openServer(one, onePrefix), await openServer(one, onePrefix)];
  const [foreign, foreignToo] = [
    await openServer(other, otherPrefix),
    await openServer(other, otherPrefix),
  ];

  const [ours, theirs] = [changesReceivedBy(second), changesReceivedBy(foreign)];
  const [change, marker] = [anOrder(), anOrder()];
  first.bus.publish(change);
  await waitFor("our own change", () => has(ours, change));
  foreignToo.bus.publish(marker);
  await waitFor("their own change", () => has(theirs, marker));
  expect(has(theirs, change)).toBe(false);
});
