import { expect, test } from "vitest";
import { moneyAfterCancelling } from "./cancelled-order.tsx";

test.each([
  [
    "a loan that was reported",
    "c1",
    undefined,
    /^If your loan was paid out, the shop gives that money back/,
  ],
  ["no known loan", undefined, undefined, /^Do not pay for it any more\./],
  ["money that was refunded", "c1", 1_850, /^The shop has refunded \$18\.50\.$/],
])(
  "of a cancelled order with %s the shopper is told what becomes of the money",
  (_, contractId, given, text) => {
    expect(moneyAfterCancelling({ contractId }, { refunded: given })).toMatch(text);
    if (given === undefined) expect(moneyAfterCancelling({ contractId }, undefined)).toMatch(text);
  },
);
