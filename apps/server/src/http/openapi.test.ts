import { orderStatuses } from "@keepsats/domain";
import { paths, streamErrorKinds } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { openApiDocument } from "./openapi.ts";

const document: unknown = JSON.parse(
  JSON.stringify(openApiDocument({ publicUrl: "https://shop.example", version: "1" })),
);

/** What stands in the document at this place. */
function at(...place: string[]): unknown {
  return place.reduce<unknown>((value, name) => Reflect.get(Object(value), name), document);
}

/** Every object in the document, with where it stands. */
function objectsIn(value: unknown, place: string[] = []): { place: string[]; object: object }[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, part]) => objectsIn(part, [...place, name]));
  return [{ place, object: value }, ...inside];
}

const operations = objectsIn(at("paths")).filter(
  ({ place: [, method, ...rest] }) => rest.length === 0 && method !== undefined && method !== "parameters",
);

test("every operation has an id of its own", () => {
  const ids = operations.map(({ object }) => Reflect.get(object, "operationId"));
  expect(ids.length).toBeGreaterThanOrEqual(12);
  expect(ids.every((id) => /^[a-z][A-Za-z]+$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

test("every text that may be sent has a greatest length, a pattern, or is one of a few", () => {
  const texts = objectsIn(at("paths")).filter(
    ({ place, object }) =>
      (place.includes("requestBody") || place.includes("parameters")) &&
      !place.includes(paths.orderStream) &&
      Reflect.get(object, "type") === "string",
  );
  expect(texts.length).toBeGreaterThan(20);
  const open = texts.filter(
    ({ object }) => !["maxLength", "pattern", "enum"].some((rule) => Object.hasOwn(object, rule)),
  );
  expect(open.map(({ place }) => place.join(" "))).toEqual([]);
});

test("the document says which states there are, and how the lists go on", () => {
  expect(at("paths", "/api/merchant/orders", "get", "parameters")).toEqual([
    { name: "status", in: "query", schema: { type: "string", enum: orderStatuses } },
    expect.objectContaining({ name: "cursor", schema: { type: "string", pattern: expect.any(String) } }),
  ]);
  expect(at("paths", "/api/merchant/mismatches", "get", "parameters")).toEqual([
    expect.objectContaining({ name: "cursor", description: expect.stringContaining("next_cursor") }),
  ]);
  const placed = ["responses", "201", "content", "application/json", "schema", "properties", "status"];
  expect(at("paths", paths.orders, "post", ...placed)).toEqual({ type: "string", enum: orderStatuses });
});

test("the document says what the order stream takes", () => {
  const id = { in: "query", required: true, schema: { type: "string", minLength: 1, maxLength: 200 } };
  expect(at("paths", paths.orderStream, "get", "parameters")).toEqual(
    expect.arrayContaining([
      { name: "order_id", ...id },
      { name: "contract_id", ...id },
    ]),
  );
});

test("the document says what the order stream sends", () => {
  expect(at("paths", paths.orderStream, "get", "x-messages", "$ref")).toBe(
    "#/components/schemas/OrderStreamMessage",
  );
  const messages = JSON.stringify(at("components", "schemas", "OrderStreamMessage"));
  for (const word of ["order", "error", "payment_attempt_over", ...streamErrorKinds, ...orderStatuses])
    expect(messages).toContain(`"${word}"`);
});
