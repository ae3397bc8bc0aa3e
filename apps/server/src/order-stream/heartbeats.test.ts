import { HEARTBEAT_INTERVAL } from "@keepsats/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createHeartbeats } from "./heartbeats.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A follower and the times of its heartbeats. */
function aFollower() {
  const heard: number[] = [];
  return {
    heard,
    deliver(message: Buffer) {
      expect(JSON.parse(message.toString())).toEqual({ type: "heartbeat" });
      heard.push(Date.now());
    },
  };
}

test("each follower is sent a heartbeat at once and then one every 15 seconds", () => {
  const beats = createHeartbeats();
  const followers = Array.from({ length: 40 }, aFollower);
  const begun = Date.now();
  for (const follower of followers) beats.add(follower);
  vi.advanceTimersByTime(4 * HEARTBEAT_INTERVAL);
  for (const { heard } of followers) {
    const [atOnce, first = 0, ...later] = heard;
    expect(atOnce).toBe(begun);
    expect(first - begun).toBeLessThanOrEqual(HEARTBEAT_INTERVAL);
    expect(later).toEqual([first + 15_000, first + 30_000, first + 45_000]);
  }
  beats.close();
});

test("followers that connect together are served in many rounds, with one timer", () => {
  const beats = createHeartbeats();
  const followers = Array.from({ length: 45 }, aFollower);
  for (const follower of followers) beats.add(follower);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(HEARTBEAT_INTERVAL);
  const perRound = Map.groupBy(followers, ({ heard }) => heard[1]);
  expect([...perRound.values()].map((round) => round.length)).toEqual(Array(15).fill(3));
  beats.close();
});

test("a follower that has left is sent none, and after close none is sent", () => {
  const beats = createHeartbeats();
  const [gone, stays] = [aFollower(), aFollower()];
  beats.add(gone);
  beats.add(stays);
  beats.remove(gone);
  vi.advanceTimersByTime(HEARTBEAT_INTERVAL);
  beats.close();
  vi.advanceTimersByTime(HEARTBEAT_INTERVAL);
  expect(gone.heard).toHaveLength(1);
  expect(stays.heard).toHaveLength(2);
});
