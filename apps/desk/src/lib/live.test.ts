import { DESK_HEARTBEAT, SESSION_ENDED } from "@keepsats/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followChanges } from "./live.ts";

/** A network whose sockets the test holds in its hands. */
function fakeNetwork() {
  let report: (isOnline: boolean) => void = () => {};
  const sockets: { receive(message: unknown): void; end(code: number): void; isClosed: boolean }[] =
    [];
  const network: Parameters<typeof followChanges>[0]["network"] = {
    random: () => 0.5,
    onConnectivity(listener) {
      report = listener;
      return () => {
        report = () => {};
      };
    },
    connect(url, listener) {
      expect(url.href).toBe("wss://desk.example/api/desk/live");
      const socket = {
        isClosed: false,
        receive: (message: unknown) => listener.onMessage(JSON.stringify(message)),
        end: (code: number) => listener.onClose(code),
      };
      sockets.push(socket);
      return {
        close: () => {
          socket.isClosed = true;
        },
      };
    },
  };
  return { network, sockets, report: (isOnline: boolean) => report(isOnline) };
}

function follow() {
  const { network, sockets, report } = fakeNetwork();
  const told: unknown[] = [];
  const stop = followChanges({
    host: "https://desk.example",
    network,
    events: {
      onReady: () => told.push("ready"),
      onChanged: (changes) => told.push(changes),
      onDown: () => told.push("down"),
      onSessionEnded: () => told.push("ended"),
    },
  });
  return { sockets, told, stop, report };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("tells when the connection stands, and what has changed", () => {
  const { sockets, told } = follow();
  sockets[0]?.receive({ type: "ready" });
  sockets[0]?.receive({ type: "heartbeat" });
  sockets[0]?.receive({ type: "changed", data: { topics: ["orders"], orders: ["a"] } });
  expect(told).toEqual(["ready", { topics: ["orders"], orders: ["a"] }]);
});

test("going offline shows as disconnected at once, and going online reconnects at once", () => {
  const { sockets, told, report, stop } = follow();
  sockets[0]?.receive({ type: "ready" });
  report(false);
  report(false);
  expect(told).toEqual(["ready", "down"]);
  expect(sockets[0]?.isClosed).toBe(true);
  report(true);
  expect(sockets).toHaveLength(2);
  sockets[1]?.receive({ type: "ready" });
  expect(told).toEqual(["ready", "down", "ready"]);
  stop();
  report(true);
  expect(sockets).toHaveLength(2);
});

test("a lost connection is opened again, more and more seldom until it stands", () => {
  const { sockets, told } = follow();
  const delays = [500, 1_000, 2_000, 5_000, 10_000, 20_000, 20_000];
  for (const [attempt, delay] of delays.entries()) {
    sockets.at(-1)?.end(1006);
    vi.advanceTimersByTime(delay - 1);
    expect(sockets).toHaveLength(attempt + 1);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(attempt + 2);
  }
  sockets.at(-1)?.receive({ type: "ready" });
  sockets.at(-1)?.end(1006);
  vi.advanceTimersByTime(500);
  expect(sockets).toHaveLength(delays.length + 2);
  expect(told.filter((what) => what === "ready")).toHaveLength(1);
});

test("a silent connection is a lost one", () => {
  const { sockets, told } = follow();
  sockets[0]?.receive({ type: "ready" });
  vi.advanceTimersByTime(DESK_HEARTBEAT);
  sockets[0]?.receive({ type: "heartbeat" });
  vi.advanceTimersByTime(2 * DESK_HEARTBEAT);
  expect(told).toEqual(["ready"]);
  vi.advanceTimersByTime(2_000);
  expect(told).toEqual(["ready", "down"]);
  expect(sockets[0]?.isClosed).toBe(true);
});

test("a connection that never stands is given up and tried again", () => {
  const { sockets, told } = follow();
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual(["down"]);
  vi.advanceTimersByTime(500);
  expect(sockets).toHaveLength(2);
});

test("what a connection sends after it was lost is ignored", () => {
  const { sockets, told } = follow();
  sockets[0]?.end(1006);
  sockets[0]?.receive({ type: "ready" });
  sockets[0]?.end(1006);
  expect(told).toEqual(["down"]);
});

test("after the end of the session nothing is tried again", () => {
  const { sockets, told } = follow();
  sockets[0]?.receive({ type: "ready" });
  sockets[0]?.end(SESSION_ENDED);
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(["ready", "ended"]);
  expect(sockets).toHaveLength(1);
});

test("a message that cannot be read is logged, and the next one is told", () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const { sockets, told } = follow();
  sockets[0]?.receive({ type: "changed", data: "everything" });
  sockets[0]?.receive({ type: "ready" });
  expect(told).toEqual(["ready"]);
  expect(log).toHaveBeenCalledOnce();
});

test("nothing happens after following was stopped", () => {
  const { sockets, told, stop } = follow();
  stop();
  sockets[0]?.receive({ type: "ready" });
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([]);
  expect(sockets[0]?.isClosed).toBe(true);
});
