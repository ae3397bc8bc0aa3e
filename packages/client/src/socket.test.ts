import { HEARTBEAT_INTERVAL } from "@keepsats/protocol";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { openSocket } from "./socket.ts";

/** A WebSocket whose events a test triggers. */
class FakeSocket {
  static all: FakeSocket[] = [];
  readonly url: URL;
  isClosed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor(url: URL) {
    this.url = url;
    FakeSocket.all.push(this);
  }
  close(): void {
    this.isClosed = true; // Without `onclose`, like a WebSocket whose server is gone.
  }
  send(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const ENDED = 4001;
const url = new URL("wss://shop.example/live");

function open() {
  const events: unknown[] = [];
  const stop = openSocket({
    url,
    message: z.object({ text: z.string() }),
    reconnectDelay: (failures) => 1_000 * (failures + 1),
    onOpen: () => events.push("open"),
    onMessage: ({ text }) => events.push(text),
    onDown: () => events.push("down"),
    onClose: (code) => code === ENDED,
  });
  return { events, stop };
}

function latest(): FakeSocket {
  const socket = FakeSocket.all.at(-1);
  if (socket === undefined) throw new Error("there is no socket");
  return socket;
}

let network: EventTarget;
beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  network = new EventTarget();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("window", network);
});
afterEach(() => {
  expect(vi.getTimerCount(), "timers left over").toBe(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("reports decoded messages, logs invalid ones, and stays open with heartbeats", () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const { events, stop } = open();
  expect(latest().url).toBe(url);
  latest().onopen?.();
  latest().send({ text: "first" });
  latest().send({ text: 1 });
  for (let beat = 0; beat < 20; beat += 1) {
    vi.advanceTimersByTime(HEARTBEAT_INTERVAL);
    latest().send({ text: "beat" });
  }
  expect(events.filter((event) => event !== "beat")).toEqual(["open", "first"]);
  expect(FakeSocket.all).toHaveLength(1);
  expect(log).toHaveBeenCalledOnce();
  log.mockRestore();
  stop();
});

describe("the connection is lost", () => {
  test("when two heartbeats in a row are missed", () => {
    const { events, stop } = open();
    latest().onopen?.();
    vi.advanceTimersByTime(2 * HEARTBEAT_INTERVAL);
    expect(events).toEqual(["open"]);
    vi.advanceTimersByTime(2_000);
    expect(events).toEqual(["open", "down"]);
    expect(latest().isClosed).toBe(true);
    stop();
  });

  test("when the handshake times out", () => {
    const { events, stop } = open();
    vi.advanceTimersByTime(10_000);
    expect(events).toEqual(["down"]);
    expect(latest().isClosed).toBe(true);
    stop();
  });

  test("when it closes", () => {
    const { events, stop } = open();
    latest().onclose?.({ code: 1006 });
    expect(events).toEqual(["down"]);
    stop();
  });
});

test("going offline disconnects at once, and going online reconnects at once", () => {
  const { events, stop } = open();
  latest().onopen?.();
  network.dispatchEvent(new Event("offline"));
  network.dispatchEvent(new Event("offline"));
  expect(events).toEqual(["open", "down"]);
  expect(latest().isClosed).toBe(true);
  network.dispatchEvent(new Event("online"));
  network.dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(2);
  stop();
  network.dispatchEvent(new Event("offline"));
  network.dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(2);
});

test("reconnects after a delay that depends on the failures since the last message", () => {
  const { events, stop } = open();
  for (const delay of [1_000, 2_000, 3_000]) {
    const { length } = FakeSocket.all;
    latest().onopen?.();
    latest().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(delay - 1);
    expect(FakeSocket.all).toHaveLength(length);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(length + 1);
  }
  latest().send({ text: "hello" });
  latest().onclose?.({ code: 1006 });
  vi.advanceTimersByTime(1_000);
  expect(FakeSocket.all).toHaveLength(5);
  expect(events.filter((event) => event === "down")).toHaveLength(4);
  stop();
});

test("a lost connection has no more events", () => {
  const { events, stop } = open();
  const [first] = FakeSocket.all;
  vi.advanceTimersByTime(11_000);
  first?.onopen?.();
  first?.send({ text: "late" });
  first?.onclose?.({ code: 1006 });
  expect(events).toEqual(["down"]);
  expect(FakeSocket.all).toHaveLength(2);
  stop();
});

test("a connection that the server has closed for good is not reopened", () => {
  const { events } = open();
  latest().onopen?.();
  latest().onclose?.({ code: ENDED });
  network.dispatchEvent(new Event("online"));
  expect(events).toEqual(["open"]);
  expect(FakeSocket.all).toHaveLength(1);
});

test("after it was stopped there are no events and no connections", () => {
  const { events, stop } = open();
  const [socket] = FakeSocket.all;
  stop();
  socket?.onopen?.();
  socket?.send({ text: "late" });
  vi.advanceTimersByTime(60_000);
  expect(events).toEqual([]);
  expect(socket?.isClosed).toBe(true);
  expect(FakeSocket.all).toHaveLength(1);
});
