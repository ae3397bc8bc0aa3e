import { expect, test } from "vitest";
import { decodePlace, encodePlace } from "./mismatch-cursor.ts";

test("a cursor is the place it was made of, and nothing that a query has to escape", () => {
  const place = { seenAt: 1_763_800_000_000, contractId: "c/ü?&", orderId: "", kind: "foreign" };
  expect(encodePlace(place)).toMatch(/^[\w-]+$/);
  expect(decodePlace(encodePlace(place))).toEqual(place);
});

test.each(["", "200", "123456789", "AAAA", Buffer.from('{"seenAt":1}').toString("base64url")])(
  "%j is no cursor",
  (cursor) => {
    expect(decodePlace(cursor)).toBeUndefined();
  },
);
