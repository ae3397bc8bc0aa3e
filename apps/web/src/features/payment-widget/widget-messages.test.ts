import fc from "fast-check";
import { expect, test } from "vitest";
import { parseWidgetMessage } from "./widget-messages.ts";

const text = fc.oneof(
  fc.constantFrom("success", "cancelled", "error", "done", "", "__proto__"),
  fc.string({ unit: "binary" }),
);
const value = fc.oneof(
  text,
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
);

/** What a hostile window could say: anything that can be cloned, and rather what looks like a message. */
const said = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
  fc.record(
    { status: value, contractId: value, reason: value, code: value, message: value },
    { requiredKeys: [] },
  ),
  fc.dictionary(text, value),
);

test("whatever a window says is either a whole message or none, and never a fault", () => {
  fc.assert(
    fc.property(said, (data) => {
      const message = parseWidgetMessage(data);
      if (message === undefined) return;
      expect(["success", "cancelled", "error", "done"]).toContain(message.status);
      if (message.status === "success") {
        expect(typeof message.contractId).toBe("string");
        expect(message.contractId.length).toBeGreaterThan(0);
        expect(message.contractId.length).toBeLessThanOrEqual(100);
      }
      if (message.status === "cancelled") expect(["string", "undefined"]).toContain(typeof message.reason);
      if (message.status === "error") expect(["string", "undefined"]).toContain(typeof message.message);
    }),
    { numRuns: 3_200 },
  );
});
