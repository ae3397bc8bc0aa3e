import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { orderCursor } from "./order-parameters.ts";

const time = fc.nat({ max: 9_999_999_999_999 });

test("a cursor is decoded as it was encoded, and needs no escaping in a query", () => {
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

test.each(["", "1", "1_2", "x_0e4b3a51-0000-4000-8000-000000000001"])(
  "%j is not a cursor",
  (cursor) => {
    expect(orderCursor.safeParse(cursor).success).toBe(false);
  },
);
