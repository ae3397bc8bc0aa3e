import { expect, test } from "vitest";
import { createLimit, createWindowCounters } from "../../platform/rate-limit/limit.ts";
import { DAY, MINUTE } from "../../platform/scheduling/clock.ts";
import { createEmailLimit } from "./sign-in-emails.ts";

const EMAIL = "owner@shop.example";
const [STRANGER, OWNER] = ["2001:db8:1:1::1", "2001:db8:1:2::1"];

/**
 * A limit with a clock set by the test. `ask` makes `times` requests. Returns the number of
 * allowed requests.
 */
function start() {
  const clock = { at: 0 };
  const now = () => clock.at;
  const counters = createWindowCounters(now);
  const limit = createEmailLimit((...rules) =>
    createLimit(rules, { counters, now, onRefused: () => {} }),
  );
  const allowed = async (client: string, times: number, email = EMAIL) => {
    let count = 0;
    for (let time = 0; time < times; time += 1)
      if ((await limit(client, email)) === undefined) count += 1;
    return count;
  };
  return { clock, allowed };
}

test("within ten minutes an address gets three links, and a client can make ten requests", async () => {
  const { clock, allowed } = start();
  expect(await allowed(STRANGER, 2)).toBe(2);
  expect(await allowed(OWNER, 2, EMAIL.toUpperCase())).toBe(1);
  clock.at += 10 * MINUTE;
  let others = 0;
  for (let other = 0; other < 12; other += 1)
    others += await allowed(STRANGER, 1, `${other}@shop.example`);
  expect(others).toBe(10);
});

test("a stranger's requests send at most 30 links a day, and the owner can always request one", async () => {
  const { clock, allowed } = start();
  let all = 0;
  for (; clock.at < DAY; clock.at += 10 * MINUTE) {
    const strangers = await allowed(STRANGER, 4);
    all += strangers;
    const isHour = clock.at % (60 * MINUTE) === 0;
    if (isHour) expect(strangers + (await allowed(OWNER, 1)), `at ${clock.at}`).toBeGreaterThan(0);
  }
  expect(all).toBeLessThanOrEqual(30);
});
