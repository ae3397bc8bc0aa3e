import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { orderStatuses } from "@keepsats/domain";
import { paths, streamErrorKinds } from "@keepsats/protocol";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { buildFeatures } from "../build-features.ts";
import { buildHttp } from "../build-http.ts";
import { createInProcessBus } from "../bus/in-process.ts";
import { elapsed } from "../clock.ts";
import { readConfig } from "../config.ts";
import { openSqlite } from "../db/sqlite.ts";
import { createWindows } from "../limits/windows.ts";
import { answerTimes } from "../orders/index.ts";
import { paymentTimes } from "../payments/index.ts";
import { connectContractsApi } from "../payments/provider/contracts-api/contracts-api.ts";

const folder = mkdtempSync(join(tmpdir(), "keepsats-"));
for (const part of ["assets", "pictures"]) mkdirSync(join(folder, part));
for (const file of ["index.html", "favicon.svg", "touch-icon.png", "share.png", "robots.txt"])
  writeFileSync(join(folder, file), "");
const database = openSqlite(join(folder, "shop.db"));
const never = new AbortController().signal;
const second = 1_000;
const parts = {
  config: readConfig({
    PUBLIC_URL: "https://shop.example",
    DATABASE_URL: `file:${folder}/shop.db`,
    LOAN_API_URL: "https://lender.example",
    LOAN_API_KEY: "a-key",
    LOAN_POPUP_URL_TEST: "https://pay.example",
  }),
  merchantToken: "the-merchant's-own-long-token",
  database,
  databaseLoad: () => ({ up: true, queries: 0, seconds: 0 }),
  bus: createInProcessBus(),
  windows: createWindows(elapsed),
  now: Date.now,
  newId: () => "",
  log: pino({ level: "silent" }),
  droppedLogLines: () => 0,
  webRoot: folder,
  connectProvider: connectContractsApi,
  times: {
    ...paymentTimes,
    ...answerTimes,
    heartbeat: second,
    reread: second,
    providerTimeout: second,
    listStalled: second,
    listTimeout: second,
  },
};
const features = await buildFeatures(parts, never);
const shop = await buildHttp(parts, features, { trusted: () => false, draining: never });
const document: unknown = (await shop.inject(paths.openapi)).json();

afterAll(async () => {
  await shop.close();
  for (const part of [features.listing, features.keptAssets, features.stream, features.payments.watches])
    part.close();
  features.telemetry.mismatches.close();
  features.telemetry.refusals.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

/** The value at a path of the document. */
function at(...place: string[]): unknown {
  return place.reduce<unknown>((value, name) => Reflect.get(Object(value), name), document);
}

/** Every object in the document, with its path. */
function objectsIn(value: unknown, place: string[] = []): { place: string[]; object: object }[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, part]) => objectsIn(part, [...place, name]));
  return [{ place, object: value }, ...inside];
}

const operations = objectsIn(at("paths")).filter(
  ({ place: [, method, ...rest] }) => rest.length === 0 && method !== undefined && method !== "parameters",
);

const operationMethods = ["GET", "POST", "PUT", "PATCH"] as const;

test("every operation has a unique id", () => {
  const ids = operations.map(({ object }) => Reflect.get(object, "operationId"));
  expect(ids.length).toBeGreaterThanOrEqual(12);
  expect(ids.every((id) => /^[a-z][A-Za-z]+$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

test("the document names the routes that require the merchant's token", async () => {
  const statuses = await Promise.all(
    operations
      .filter(({ place: [path] }) => path !== paths.orderStream)
      .map(async ({ place: [path = "", method = ""], object }) => {
        const verb = operationMethods.find((known) => known.toLowerCase() === method);
        const answer = await shop.inject({
          url: path.replace("{id}", "abcdef01"),
          ...(verb && { method: verb }),
        });
        return { place: `${method} ${path}`, asks: answer.statusCode === 401, says: "security" in object };
      }),
  );
  expect(statuses.filter(({ says }) => says).length).toBeGreaterThanOrEqual(7);
  expect(statuses.filter(({ asks, says }) => asks !== says)).toEqual([]);
});

test("every text in a request has a maximum length, a pattern or an enum", () => {
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

test("the document lists the statuses and describes the cursors", () => {
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

test("the document describes the parameters of the order stream", () => {
  const id = { in: "query", required: true, schema: { type: "string", minLength: 1, maxLength: 200 } };
  expect(at("paths", paths.orderStream, "get", "parameters")).toEqual(
    expect.arrayContaining([
      { name: "order_id", ...id },
      { name: "contract_id", ...id },
    ]),
  );
});

test("the document describes the messages of the order stream", () => {
  expect(at("paths", paths.orderStream, "get", "x-messages", "$ref")).toBe(
    "#/components/schemas/OrderStreamMessage",
  );
  const messages = JSON.stringify(at("components", "schemas", "OrderStreamMessage"));
  for (const word of ["order", "error", "payment_attempt_over", ...streamErrorKinds, ...orderStatuses])
    expect(messages).toContain(`"${word}"`);
});
