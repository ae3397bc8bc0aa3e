import { afterEach, expect, test, vi } from "vitest";
import { createInProcessBus } from "./bus.ts";
import { type CachedValue, createCachedValue } from "./cached-value.ts";

const closing: (() => unknown)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) close();
});

/** A cached copy of `stored.value`, with its errors and changes. */
async function cached() {
  const bus = createInProcessBus();
  const stored = { value: "first", error: undefined as Error | undefined };
  const errors: unknown[] = [];
  const seen: string[] = [];
  const value: CachedValue<string> = await createCachedValue({
    bus,
    topic: "shop",
    read: async () => {
      if (stored.error !== undefined) throw stored.error;
      return stored.value;
    },
    rereadInterval: 1_000,
    onError: (error) => void errors.push(error),
    onChanged: () => void seen.push(value.current()),
  });
  closing.push(() => value.close());
  return { bus, stored, errors, seen, value };
}

test.each(["shop", "gap"] as const)("a message %s causes a read", async (topic) => {
  const { bus, stored, seen, value } = await cached();
  stored.value = "second";
  bus.publish({ topic });
  await value.caughtUp();
  expect(value.current()).toBe("second");
  expect(seen).toEqual(["second"]);
});

test("a read that fails after close is not reported, and no other one starts", async () => {
  const { bus, stored, errors, value } = await cached();
  stored.error = new Error("the database is closed");
  bus.publish({ topic: "shop" });
  value.close();
  await value.caughtUp();
  await expect(value.refresh()).resolves.toBeUndefined();
  expect([errors, value.current()]).toEqual([[], "first"]);
});

test("a change during the first read is read too", async () => {
  const bus = createInProcessBus();
  let stored = "first";
  const value = await createCachedValue({
    bus,
    topic: "shop",
    async read(before) {
      const found = stored;
      await new Promise(setImmediate);
      if (before === undefined) {
        stored = "second";
        bus.publish({ topic: "shop" });
      }
      return found;
    },
    rereadInterval: 1_000_000,
    onError: (error) => expect.unreachable(String(error)),
  });
  closing.push(() => value.close());
  expect(value.current()).toBe("second");
});

test("when the first read fails, nothing is subscribed", async () => {
  const bus = createInProcessBus();
  let reads = 0;
  const value = createCachedValue({
    bus,
    topic: "shop",
    async read() {
      reads += 1;
      throw new Error("away");
    },
    rereadInterval: 1_000_000,
    onError: (error) => expect.unreachable(String(error)),
  });
  await expect(value).rejects.toThrow("away");
  bus.publish({ topic: "shop" });
  expect(reads).toBe(1);
});

test("a message of another topic causes no read", async () => {
  const { bus, stored, value } = await cached();
  stored.value = "second";
  bus.publish({ topic: "catalogue" });
  await value.caughtUp();
  expect(value.current()).toBe("first");
});

test("a read without a new value is not a change", async () => {
  const { bus, seen, value } = await cached();
  bus.publish({ topic: "shop" });
  await value.caughtUp();
  expect(seen).toEqual([]);
});

test("a change whose message was lost is found by the next periodic read", async () => {
  vi.useFakeTimers();
  const { stored, value } = await cached();
  stored.value = "second";
  await vi.advanceTimersByTimeAsync(1_000);
  expect(value.current()).toBe("second");
});

test("a failed read keeps the value, and is reported to the caller of refresh, or else as an error", async () => {
  const { bus, stored, errors, value } = await cached();
  const error = new Error("away");
  stored.error = error;
  bus.publish({ topic: "shop" });
  await value.caughtUp();
  expect(errors).toEqual([error]);
  await expect(value.refresh()).rejects.toBe(error);
  expect(value.current()).toBe("first");
  stored.error = undefined;
  stored.value = "second";
  await value.refresh();
  expect(value.current()).toBe("second");
});

test("nothing is read after close", async () => {
  vi.useFakeTimers();
  const { bus, stored, value } = await cached();
  value.close();
  stored.value = "second";
  bus.publish({ topic: "shop" });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(value.current()).toBe("first");
});
