import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { issueCursor } from "./routes.ts";

const time = fc.nat({ max: 9_999_999_999_999 });

test("a cursor of the payment issues decodes to its position, and needs no escaping in a query", () => {
  const place = fc.record({ openedAt: time, id: fc.uuid() });
  fc.assert(
    fc.property(place, (value) => {
      const cursor = z.encode(issueCursor, value);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(z.decode(issueCursor, cursor)).toEqual(value);
    }),
  );
});

test.each([
  "",
  "0",
  "x",
  "200",
  "123456789",
  "AAAA",
  "WzFd",
  Buffer.from('{"seenAt":1}').toString("base64url"),
])("%j is not a cursor of the payment issues", (cursor) => {
  expect(issueCursor.safeParse(cursor).error?.issues).toEqual([
    expect.objectContaining({ path: [], message: "is not a cursor of this list" }),
  ]);
});
