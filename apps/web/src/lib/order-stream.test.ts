import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { followOrder, type LinkListener } from "./order-stream.ts";

/** A link that does what a test says. */
class FakeLink {
  closed = false;
  readonly listener: LinkListener;
  constructor(listener: LinkListener) {
    this.listener = listener;
  }
  close(): void {
    this.closed = true; // A dead link reports nothing of it.
  }
  say(message: unknown): void {
    this.listener.onMessage(JSON.stringify(message));
  }
}

function follow() {
  const links: FakeLink[] = [];
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
        const link = new FakeLink(listener);
        links.push(link);
        return link;
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
    const link = links.at(-1);
    if (link === undefined) throw new Error("there is no link");
    return link;
  };
  return { links, urls, happened, last, end, goOffline: () => goOffline() };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount(), "timers that are left").toBe(0);
  vi.useRealTimers();
});

test("it asks for heartbeats, which are no message of the order", () => {
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

test("a link on which heartbeats come stays up", () => {
  const { links, last, happened, end } = follow();
  last().listener.onOpen();
  for (let beat = 0; beat < 20; beat += 1) {
    vi.advanceTimersByTime(15_000);
    last().say({ type: "heartbeat" });
  }
  expect(happened).toEqual(["open"]);
  expect(links).toHaveLength(1);
  end();
});

describe("the link is down", () => {
  test("when two heartbeats in a row have not come", () => {
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

  test("when the handshake does not end", () => {
    const { last, happened, end } = follow();
    vi.advanceTimersByTime(10_000);
    expect(happened).toEqual(["down"]);
    expect(last().closed).toBe(true);
    end();
  });

  test("when the browser goes offline, and when the link closes", () => {
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

test("it is opened again 5 seconds later, and what the old link still says is not heard", () => {
  const { links, last, happened, end } = follow();
  const [first] = links;
  first?.listener.onOpen();
  vi.advanceTimersByTime(32_000);
  vi.advanceTimersByTime(4_999);
  expect(links).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(links).toHaveLength(2);
  first?.say({ type: "error", data: { kind: "OrderNotFound" } });
  first?.listener.onClose();
  last().listener.onOpen();
  expect(happened).toEqual(["open", "down", "open"]);
  end();
});

test("when it is ended nothing is heard or opened any more", () => {
  const { links, last, happened, end, goOffline } = follow();
  last().listener.onOpen();
  end();
  goOffline();
  last().say({ type: "error", data: { kind: "OrderNotFound" } });
  vi.advanceTimersByTime(60_000);
  expect(happened).toEqual(["open"]);
  expect(links).toHaveLength(1);
});
