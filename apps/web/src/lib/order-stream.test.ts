import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ConnectionListener, followOrder } from "./order-stream.ts";

/** A connection whose events a test triggers. */
class FakeConnection {
  closed = false;
  readonly listener: ConnectionListener;
  constructor(listener: ConnectionListener) {
    this.listener = listener;
  }
  close(): void {
    this.closed = true; // Calls no `onClose`, as a WebSocket whose server is gone.
  }
  say(message: unknown): void {
    this.listener.onMessage(JSON.stringify(message));
  }
}

function follow() {
  const connections: FakeConnection[] = [];
  const urls: URL[] = [];
  const happened: string[] = [];
  let goOffline = () => {};
  const end = followOrder({
    orderId: "o",
    contractId: "c",
    key: "k",
    host: "https://shop.example",
    network: {
      connect(url, listener) {
        urls.push(url);
        const connection = new FakeConnection(listener);
        connections.push(connection);
        return connection;
      },
      onOffline(listener) {
        goOffline = listener;
        return () => {
          goOffline = () => {};
        };
      },
    },
    events: {
      onOpen: () => happened.push("open"),
      onMessage: (message) => happened.push(message.type),
      onDown: () => happened.push("down"),
    },
  });
  const last = () => {
    const connection = connections.at(-1);
    if (connection === undefined) throw new Error("there is no connection");
    return connection;
  };
  return { connections, urls, happened, last, end, goOffline: () => goOffline() };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount(), "timers left over").toBe(0);
  vi.useRealTimers();
});

test("requests heartbeats and passes them to no callback", () => {
  const { urls, last, happened, end } = follow();
  expect(urls[0]?.href).toBe(
    "wss://shop.example/api/ws/order-status?order_id=o&contract_id=c&key=k&heartbeat=1",
  );
  last().listener.onOpen();
  last().say({ type: "heartbeat" });
  last().say({ type: "error", data: { kind: "OrderNotFound" } });
  expect(happened).toEqual(["open", "error"]);
  end();
});

test("a connection with heartbeats stays up", () => {
  const { connections, last, happened, end } = follow();
  last().listener.onOpen();
  for (let beat = 0; beat < 20; beat += 1) {
    vi.advanceTimersByTime(15_000);
    last().say({ type: "heartbeat" });
  }
  expect(happened).toEqual(["open"]);
  expect(connections).toHaveLength(1);
  end();
});

test("a connection to a server of an earlier version, which sends no heartbeats, stays up", () => {
  const { last, happened, end } = follow();
  last().listener.onOpen();
  last().say({ type: "error", data: { kind: "ConnectionError" } });
  vi.advanceTimersByTime(10 * 60_000);
  expect(happened).toEqual(["open", "error"]);
  end();
});

describe("the connection is lost", () => {
  test("when two heartbeats in a row are missed", () => {
    const { last, happened, end } = follow();
    last().listener.onOpen();
    vi.advanceTimersByTime(15_000);
    last().say({ type: "heartbeat" });
    vi.advanceTimersByTime(29_000);
    expect(happened).toEqual(["open"]);
    vi.advanceTimersByTime(4_000);
    expect(happened).toEqual(["open", "down"]);
    expect(last().closed).toBe(true);
    end();
  });

  test("when the handshake times out", () => {
    const { last, happened, end } = follow();
    vi.advanceTimersByTime(10_000);
    expect(happened).toEqual(["down"]);
    expect(last().closed).toBe(true);
    end();
  });

  test("when the browser goes offline and when the connection closes", () => {
    const offline = follow();
    offline.last().listener.onOpen();
    offline.goOffline();
    offline.goOffline();
    expect(offline.happened).toEqual(["open", "down"]);
    offline.end();
    const closed = follow();
    closed.last().listener.onClose();
    expect(closed.happened).toEqual(["down"]);
    closed.end();
  });
});

test("reconnects after 5 seconds and ignores events of the old connection", () => {
  const { connections, last, happened, end } = follow();
  const [first] = connections;
  first?.listener.onOpen();
  first?.say({ type: "heartbeat" });
  vi.advanceTimersByTime(32_000);
  vi.advanceTimersByTime(4_999);
  expect(connections).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(connections).toHaveLength(2);
  first?.say({ type: "error", data: { kind: "OrderNotFound" } });
  first?.listener.onClose();
  last().listener.onOpen();
  expect(happened).toEqual(["open", "down", "open"]);
  end();
});

test("after the end no callback is called and no connection is opened", () => {
  const { connections, last, happened, end, goOffline } = follow();
  last().listener.onOpen();
  end();
  goOffline();
  last().say({ type: "error", data: { kind: "OrderNotFound" } });
  vi.advanceTimersByTime(60_000);
  expect(happened).toEqual(["open"]);
  expect(connections).toHaveLength(1);
});
