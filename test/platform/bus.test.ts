import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { connectionOptions } from "../../apps/server/src/platform/database/postgres-pool.ts";
import {
  type Bus,
  type Change,
  createInProcessBus,
  wholeTopics,
} from "../../apps/server/src/platform/events/bus.ts";
import {
  createNetworkedBus,
  type OpenTransport,
  type TransportTimes,
} from "../../apps/server/src/platform/events/networked.ts";
import { postgresTransport } from "../../apps/server/src/platform/events/postgres.ts";
import { redisTransport } from "../../apps/server/src/platform/events/redis.ts";
import { type FaultProxy, startFaultProxy } from "../harness/network.ts";
import { newDatabase } from "../harness/postgres.ts";
import { startRedis } from "../harness/services.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const redis = useResource(() => startRedis());
let postgresUrl: string;
beforeAll(async () => {
  postgresUrl = await newDatabase(inject("postgresUrl"));
});

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const bus of opened.splice(0).reverse()) await bus.close();
});

/**
 * Timeouts so long that a busy machine does not trip them; tests about timeouts use the short ones.
 */
const longTimeouts: TransportTimes = {
  heartbeat: 5_000,
  firstEcho: 5_000,
  backoff: 20,
  maxBackoff: 50,
};
const shortTimeouts: TransportTimes = { ...longTimeouts, heartbeat: 100, firstEcho: 500 };
const transports = {
  PostgreSQL: {
    url: () => postgresUrl,
    over: (url: string) => postgresTransport(connectionOptions(url)),
  },
  Redis: { url: () => redis.url, over: (url: string) => redisTransport(url, "shop") },
};

function networked(open: OpenTransport, times = longTimeouts): Bus {
  const bus = createNetworkedBus({ open, onState: () => {}, times });
  opened.push(bus);
  return bus;
}

function changesReceivedBy(bus: Bus): Change[] {
  const received: Change[] = [];
  bus.subscribe((change) => received.push(change));
  return received;
}

const anOrderChange = (version = 2): Change => ({ topic: "order", id: randomUUID(), version });
const includes = (received: readonly Change[], change: Change): boolean =>
  received.some((other) => JSON.stringify(other) === JSON.stringify(change));

describe.each<[string, () => Bus]>([
  ["in one process", () => createInProcessBus()],
  ["over PostgreSQL", () => networked(transports.PostgreSQL.over(transports.PostgreSQL.url()))],
  ["over Redis", () => networked(transports.Redis.over(transports.Redis.url()))],
])("every bus, %s,", (_, open) => {
  test("calls each subscriber of its own process once, before publish returns", async () => {
    const bus = open();
    await waitFor("the bus", () => bus.health.connected);
    const [one, two] = [changesReceivedBy(bus), changesReceivedBy(bus)];
    const changes = [anOrderChange(), { topic: "catalogue" } as const];
    for (const change of changes) bus.publish(change);
    expect(one).toEqual(changes);
    expect(two).toEqual(changes);
  });

  test("does not call subscribers that have unsubscribed, and none after it is closed", async () => {
    const bus = open();
    const received: Change[] = [];
    const unsubscribe = bus.subscribe((change) => received.push(change));
    bus.publish({ topic: "catalogue" });
    unsubscribe();
    bus.publish({ topic: "catalogue" });
    changesReceivedBy(bus);
    await bus.close();
    bus.publish({ topic: "catalogue" });
    expect(received.filter(({ topic }) => topic === "catalogue")).toHaveLength(1);
  });
});

test("a bus between processes ignores topics that only a newer version knows", async () => {
  let receive = (_text: string) => {};
  const bus = networked(async (onMessage) => {
    receive = onMessage;
    return {
      send: async (text: string) => onMessage(text),
      lost: new Promise(() => {}),
      close: async () => {},
    };
  });
  await waitFor("the bus", () => bus.health.connected);
  const received = changesReceivedBy(bus);
  const topics = ["a topic of a newer version", "catalogue"];
  receive(JSON.stringify({ from: "another process", sent: 1, orders: [], topics, gap: false }));
  expect(received).toEqual([{ topic: "catalogue" }]);
});

describe.each(["PostgreSQL", "Redis"] as const)("a bus between processes, over %s,", (kind) => {
  const proxies: FaultProxy[] = [];
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.close();
  });
  const open = () => networked(transports[kind].over(transports[kind].url()));

  async function openThroughProxy(times = longTimeouts): Promise<{ bus: Bus; proxy: FaultProxy }> {
    const proxy = await startFaultProxy(transports[kind].url());
    proxies.push(proxy);
    return { bus: networked(transports[kind].over(proxy.url), times), proxy };
  }
  const connected = (...buses: Bus[]) =>
    waitFor("the buses to connect", () => buses.every(({ health }) => health.connected));

  test("delivers every change to every process", async () => {
    const buses = [open(), open(), open()];
    await connected(...buses);
    const received = buses.map(changesReceivedBy);
    const wholes = wholeTopics.map((topic): Change => ({ topic }));
    const changes = [anOrderChange(), ...wholes, anOrderChange()];
    for (const change of changes) buses[0]?.publish(change);
    for (const list of received) {
      await waitFor("all changes", () => changes.every((change) => includes(list, change)));
    }
    expect(buses[0]?.health.lag).toBeGreaterThan(0);
  });

  test("delivers thousands of changes that are published at once", async () => {
    const [sender, receiver] = [open(), open()];
    await connected(sender, receiver);
    const received = changesReceivedBy(receiver);
    const changes = Array.from({ length: 5_000 }, (_, index) =>
      anOrderChange(index + 1_000_000_000),
    );
    for (const change of changes) sender.publish(change);
    await waitFor("all changes", () => received.length >= changes.length);
    expect(new Set(received.map((change) => JSON.stringify(change)))).toEqual(
      new Set(changes.map((change) => JSON.stringify(change))),
    );
  });

  test("publishes a gap when it connects and when it reconnects", async () => {
    const { bus, proxy } = await openThroughProxy();
    const received = changesReceivedBy(bus);
    await waitFor("the first gap", () => includes(received, { topic: "gap" }));
    proxy.set("cut");
    await waitFor("the bus to notice", () => !bus.health.connected);
    received.length = 0;
    proxy.set("none");
    await waitFor("another gap", () => includes(received, { topic: "gap" }));
    expect(bus.health.connected).toBe(true);
  });

  test("sends a gap after the reconnect if a change was published while it was disconnected", async () => {
    const [{ bus, proxy }, other] = [await openThroughProxy(), open()];
    await connected(bus, other);
    const received = changesReceivedBy(other);
    proxy.set("cut");
    await waitFor("the bus to notice", () => !bus.health.connected);
    const own = changesReceivedBy(bus);
    const change = anOrderChange();
    bus.publish(change);
    expect(own).toEqual([change]);
    proxy.set("none");
    await waitFor("a gap", () => includes(received, { topic: "gap" }));
  });

  test("sends a gap if the connection broke while a change was being sent", async () => {
    const [{ bus, proxy }, other] = [await openThroughProxy(), open()];
    await connected(bus, other);
    const received = changesReceivedBy(other);
    proxy.set("stalled");
    const change = anOrderChange();
    bus.publish(change);
    await new Promise(setImmediate);
    proxy.set("cut");
    await waitFor("the bus to notice", () => !bus.health.connected);
    proxy.set("none");
    await waitFor("a gap", () => includes(received, { topic: "gap" }));
  });

  test("reconnects when its own messages do not return, although it receives others", async () => {
    const [{ bus, proxy }, other] = [await openThroughProxy(shortTimeouts), open()];
    await connected(bus, other);
    proxy.set("mute");
    const publishing = setInterval(() => other.publish(anOrderChange()), 20);
    await waitFor("the bus to notice", () => !bus.health.connected);
    clearInterval(publishing);
    proxy.set("none");
    await connected(bus);
  });

  test("reconnects when an open connection delivers nothing any more", async () => {
    const { bus, proxy } = await openThroughProxy(shortTimeouts);
    await connected(bus);
    proxy.set("stalled");
    await waitFor("the bus to notice", () => !bus.health.connected);
    proxy.set("none");
    await connected(bus);
  });

  test("ignores messages on its channel that it cannot parse", async () => {
    const [bus, other] = [open(), open()];
    await connected(bus, other);
    const received = changesReceivedBy(bus);
    const connect = transports[kind].over(transports[kind].url());
    const stranger = await connect(() => {});
    for (const text of ["", "{", "null", "[]", '{"from":"x"}', "🎉"]) await stranger.send(text);
    await stranger.close();
    const change = anOrderChange();
    other.publish(change);
    await waitFor("the change", () => includes(received, change));
    expect(received).toEqual([change]);
  });

  test("can be closed while it is disconnected", async () => {
    const { bus, proxy } = await openThroughProxy();
    await connected(bus);
    proxy.set("cut");
    await waitFor("the bus to notice", () => !bus.health.connected);
    await bus.close();
    proxy.set("none");
    expect(bus.health.connected).toBe(false);
  });
});
