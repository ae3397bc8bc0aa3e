import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import type { Bus, Change } from "../apps/server/src/bus/bus.ts";
import { createInProcessBus } from "../apps/server/src/bus/in-process.ts";
import { createNetworkedBus, type LineTimes, type OpenLine } from "../apps/server/src/bus/networked.ts";
import { postgresLine } from "../apps/server/src/bus/postgres.ts";
import { redisLine } from "../apps/server/src/bus/redis.ts";
import { connectionOptions } from "../apps/server/src/db/postgres-pool.ts";
import { newDatabase } from "./harness/postgres.ts";
import { type FaultProxy, startFaultProxy, throughProxy } from "./harness/proxy.ts";
import { startRedis, type TestRedis } from "./harness/redis.ts";
import { waitFor } from "./harness/wait-for.ts";

let redis: TestRedis;
let postgresUrl: string;
beforeAll(async () => {
  redis = await startRedis();
  postgresUrl = await newDatabase(inject("postgresUrl"));
});
afterAll(() => redis.stop());

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const bus of opened.splice(0).reverse()) await bus.close();
});

/** A line that answers late is not taken for a broken one, unless a test is about that. */
const patient: LineTimes = { beat: 5_000, proof: 5_000, pause: 20, longestPause: 50 };
const watchful: LineTimes = { ...patient, beat: 100, proof: 500 };
const lines = {
  PostgreSQL: { url: () => postgresUrl, over: (url: string) => postgresLine(connectionOptions(url)) },
  Redis: { url: () => redis.url, over: (url: string) => redisLine(url) },
};

function networked(open: OpenLine, times = patient): Bus {
  const bus = createNetworkedBus({ open, onState: () => {}, times });
  opened.push(bus);
  return bus;
}

function hearing(bus: Bus): Change[] {
  const heard: Change[] = [];
  bus.subscribe((change) => heard.push(change));
  return heard;
}

const anOrderChange = (version = 2): Change => ({ topic: "order", id: randomUUID(), version });
const heardOf = (heard: readonly Change[], change: Change) =>
  heard.some((other) => JSON.stringify(other) === JSON.stringify(change));

describe.each<[string, () => Bus]>([
  ["in one process", () => createInProcessBus()],
  ["over PostgreSQL", () => networked(lines.PostgreSQL.over(lines.PostgreSQL.url()))],
  ["over Redis", () => networked(lines.Redis.over(lines.Redis.url()))],
])("every bus, %s,", (_, open) => {
  test("has told the listeners of its own process when publish returns, each once", async () => {
    const bus = open();
    await waitFor("the bus", () => bus.health.connected);
    const [one, two] = [hearing(bus), hearing(bus)];
    const changes = [anOrderChange(), { topic: "catalogue" } as const];
    for (const change of changes) bus.publish(change);
    expect(one).toEqual(changes);
    expect(two).toEqual(changes);
  });

  test("tells no more to one who has ended the subscription, or after it is closed", async () => {
    const bus = open();
    const heard: Change[] = [];
    const end = bus.subscribe((change) => heard.push(change));
    bus.publish({ topic: "catalogue" });
    end();
    bus.publish({ topic: "catalogue" });
    hearing(bus);
    await bus.close();
    bus.publish({ topic: "catalogue" });
    expect(heard.filter(({ topic }) => topic === "catalogue")).toHaveLength(1);
  });
});

describe.each(["PostgreSQL", "Redis"] as const)("a bus between processes, over %s,", (kind) => {
  const proxies: FaultProxy[] = [];
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.close();
  });
  const open = () => networked(lines[kind].over(lines[kind].url()));

  async function openThroughProxy(times = patient): Promise<{ bus: Bus; proxy: FaultProxy }> {
    const { hostname, port } = new URL(lines[kind].url());
    const proxy = await startFaultProxy({ host: hostname, port: Number(port) });
    proxies.push(proxy);
    return { bus: networked(lines[kind].over(throughProxy(lines[kind].url(), proxy)), times), proxy };
  }
  const connected = (...buses: Bus[]) =>
    waitFor("the buses to connect", () => buses.every(({ health }) => health.connected));

  test("tells every process of every change", async () => {
    const buses = [open(), open(), open()];
    await connected(...buses);
    const heard = buses.map(hearing);
    const changes = [anOrderChange(), { topic: "catalogue" } as const, anOrderChange()];
    for (const change of changes) buses[0]?.publish(change);
    for (const list of heard) {
      await waitFor("all changes", () => changes.every((change) => heardOf(list, change)));
    }
    expect(buses[0]?.health.lag).toBeGreaterThan(0);
  });

  test("tells of thousands of changes at once, in batches", async () => {
    const [sender, receiver] = [open(), open()];
    await connected(sender, receiver);
    const heard = hearing(receiver);
    const changes = Array.from({ length: 5_000 }, (_, index) => anOrderChange(index + 1_000_000_000));
    for (const change of changes) sender.publish(change);
    await waitFor("all changes", () => heard.length >= changes.length);
    expect(new Set(heard.map((change) => JSON.stringify(change)))).toEqual(
      new Set(changes.map((change) => JSON.stringify(change))),
    );
  });

  test("tells of a gap when it connects, and when it is there again after it was cut off", async () => {
    const { bus, proxy } = await openThroughProxy();
    const heard = hearing(bus);
    await waitFor("the first gap", () => heardOf(heard, { topic: "gap" }));
    proxy.set("cut");
    await waitFor("the bus to notice", () => !bus.health.connected);
    heard.length = 0;
    proxy.set("none");
    await waitFor("another gap", () => heardOf(heard, { topic: "gap" }));
    expect(bus.health.connected).toBe(true);
  });

  test("keeps what is published while it is away, and tells it when it is back", async () => {
    const [{ bus, proxy }, other] = [await openThroughProxy(), open()];
    await connected(bus, other);
    const heard = hearing(other);
    proxy.set("cut");
    await waitFor("the bus to notice", () => !bus.health.connected);
    const own = hearing(bus);
    const change = anOrderChange();
    bus.publish(change);
    expect(own).toEqual([change]);
    proxy.set("none");
    await waitFor("the change", () => heardOf(heard, change));
  });

  test("sends again what was on its way when the line broke", async () => {
    const [{ bus, proxy }, other] = [await openThroughProxy(), open()];
    await connected(bus, other);
    const heard = hearing(other);
    proxy.set("stalled");
    const change = anOrderChange();
    bus.publish(change);
    await new Promise(setImmediate);
    proxy.set("cut");
    await waitFor("the bus to notice", () => !bus.health.connected);
    proxy.set("none");
    await waitFor("the change", () => heardOf(heard, change));
  });

  test("notices that what it sends does not come back, though it hears others", async () => {
    const [{ bus, proxy }, other] = [await openThroughProxy(watchful), open()];
    await connected(bus, other);
    proxy.set("mute");
    const talking = setInterval(() => other.publish(anOrderChange()), 20);
    await waitFor("the bus to notice", () => !bus.health.connected);
    clearInterval(talking);
    proxy.set("none");
    await connected(bus);
  });

  test("tells the others that anything may have changed when it could not keep all", async () => {
    const [{ bus, proxy }, other] = [await openThroughProxy(), open()];
    await connected(bus, other);
    const heard = hearing(other);
    proxy.set("cut");
    await waitFor("the bus to notice", () => !bus.health.connected);
    for (let index = 0; index <= 10_001; index += 1) bus.publish(anOrderChange());
    proxy.set("none");
    await waitFor("a gap", () => heardOf(heard, { topic: "gap" }));
  });

  test("notices a line on which nothing comes any more, though nobody has closed it", async () => {
    const { bus, proxy } = await openThroughProxy(watchful);
    await connected(bus);
    proxy.set("stalled");
    await waitFor("the bus to notice", () => !bus.health.connected);
    proxy.set("none");
    await connected(bus);
  });

  test("goes on when somebody else sends nonsense on its channel", async () => {
    const [bus, other] = [open(), open()];
    await connected(bus, other);
    const heard = hearing(bus);
    const line = await lines[kind].over(lines[kind].url())({ heard: () => {}, lost: () => {} });
    for (const text of ["", "{", "null", "[]", '{"from":"x"}', "🎉"]) await line.send(text);
    await line.close();
    const change = anOrderChange();
    other.publish(change);
    await waitFor("the change", () => heardOf(heard, change));
    expect(heard).toEqual([change]);
  });

  test("is closed in order while it is away", async () => {
    const { bus, proxy } = await openThroughProxy();
    await connected(bus);
    proxy.set("cut");
    await waitFor("the bus to notice", () => !bus.health.connected);
    await bus.close();
    proxy.set("none");
    expect(bus.health.connected).toBe(false);
  });
});
