import { HEARTBEAT_INTERVAL } from "@keepsats/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createHeartbeats } from "./heartbeats.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A subscriber and the times of its heartbeats. */
function aSubscriber() {
  const heard: number[] = [];
  return {
    heard,
    deliver(message: Buffer) {
      expect(JSON.parse(message.toString())).toEqual({ type: "heartbeat" });
      heard.push(Date.now());
    },
  };
}

test("each subscriber is sent a heartbeat at once and then one every 15 seconds", () => {
  const beats = createHeartbeats();
  const subscribers = Array.from({ length: 40 }, aSubscriber);
  const begun = Date.now();
  for (const subscriber of subscribers) beats.add(subscriber);
  vi.advanceTimersByTime(4 * HEARTBEAT_INTERVAL);
  for (const { heard } of subscribers) {
    const [atOnce, first = 0, ...later] = heard;
    expect(atOnce).toBe(begun);
    expect(first - begun).toBeLessThanOrEqual(HEARTBEAT_INTERVAL);
    expect(later).toEqual([first + 15_000, first + 30_000, first + 45_000]);
  }
  beats.close();
});

test("subscribers that connect together are served in many rounds, with one timer", () => {
  const beats = createHeartbeats();
  const subscribers = Array.from({ length: 45 }, aSubscriber);
  for (const subscriber of subscribers) beats.add(subscriber);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(HEARTBEAT_INTERVAL);
  const perRound = Map.groupBy(subscribers, ({ heard }) => heard[1]);
  expect([...perRound.values()].map((round) => round.length)).toEqual(Array(15).fill(3));
  beats.close();
});

test("no heartbeat is sent to a removed subscriber, or after close", () => {
  const beats = createHeartbeats();
  const [gone, stays] = [aSubscriber(), aSubscriber()];
  beats.add(gone);
  beats.add(stays);
  beats.remove(gone);
  vi.advanceTimersByTime(HEARTBEAT_INTERVAL);
  beats.close();
  vi.advanceTimersByTime(HEARTBEAT_INTERVAL);
  expect(gone.heard).toHaveLength(1);
  expect(stays.heard).toHaveLength(2);
});
