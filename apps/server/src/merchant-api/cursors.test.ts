import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { issueCursor, orderCursor } from "./cursors.ts";

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

test("a cursor of the orders decodes to its place in each kind of list, and needs no escaping in a query", () => {
  const cursor = fc.oneof(
    fc.record({ by: fc.constant("time" as const), created_at: time, id: fc.uuid() }),
    fc.record({ by: fc.constant("change" as const), updated_at: time, position: time }),
  );
  fc.assert(
    fc.property(cursor, (value) => {
      const text = z.encode(orderCursor, value);
      expect(text).toMatch(/^[\w-]+$/);
      expect(z.decode(orderCursor, text)).toEqual(value);
    }),
  );
});

test.each(["", "200", "123456789", "AAAA", Buffer.from('{"seenAt":1}').toString("base64url")])(
  "%j is not a cursor of the payment issues",
  (cursor) => {
    expect(issueCursor.safeParse(cursor).error?.issues).toEqual([
      expect.objectContaining({ path: [], message: "is not a cursor of this list" }),
    ]);
  },
);

test.each(["", "1", "1_2", "x_0e4b3a51-0000-4000-8000-000000000001"])(
  "%j is not a cursor of the orders",
  (cursor) => {
    expect(orderCursor.safeParse(cursor).success).toBe(false);
  },
);
