import { expect, test } from "vitest";
import { FURTHEST_AHEAD } from "./loans/loan-queue.ts";
import { paymentTimes } from "./payments.ts";

test("no stored time lies further ahead than the limit for a clock that was set back", () => {
  expect(paymentTimes.lease).toBeLessThan(FURTHEST_AHEAD.leased_until);
  expect(Math.max(paymentTimes.followed, paymentTimes.absentLongest)).toBeLessThanOrEqual(
    FURTHEST_AHEAD.not_before,
  );
  expect(Math.max(paymentTimes.unfollowed, paymentTimes.longest)).toBeLessThanOrEqual(
    FURTHEST_AHEAD.next_at,
  );
  expect(Math.max(paymentTimes.sweepLease, paymentTimes.sweepRetry)).toBeLessThan(
    paymentTimes.sweepLongest,
  );
});
