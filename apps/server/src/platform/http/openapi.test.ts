import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { orderStatuses } from "@keepsats/domain";
import {
  hasPermission,
  issueKinds,
  orderKeyHeader,
  type Permission,
  paths,
  placedOrderSchema,
  roles,
  shopSettingNames,
  streamErrorKinds,
  webhookEventTypes,
} from "@keepsats/protocol";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { anOrder } from "../../../../../test/harness/builders.ts";
import { quickTimes } from "../../../../../test/harness/config.ts";
import { createApp } from "../../app.ts";
import { readConfig } from "../../config/config.ts";
import { loadSampleCatalogue } from "../../modules/catalogue/index.ts";
import { connectContractsApi } from "../../modules/payments/provider/contracts-api/contracts-api.ts";
import { openResources } from "../resources.ts";

const folder = mkdtempSync(join(tmpdir(), "keepsats-"));
for (const part of ["assets", "pictures"]) mkdirSync(join(folder, part));
for (const file of ["index.html", "favicon.svg", "touch-icon.png", "share.png"])
  writeFileSync(join(folder, file), "");
const ADMIN_TOKEN = "a-long-token-for-the-admin-api";
const log = pino({ level: "silent" });
const config = readConfig({
  PUBLIC_URL: "https://shop.example",
  DATABASE_URL: `file:${folder}/shop.db`,
  LOAN_API_URL: "https://lender.example",
  LOAN_API_KEY: "a-key",
  LOAN_POPUP_URL_TEST: "https://pay.example",
});
const resources = await openResources(config, log);
const app = await createApp({
  ...resources,
  config,
  adminToken: ADMIN_TOKEN,
  now: Date.now,
  newId: randomUUID,
  log,
  droppedLogLines: () => 0,
  release: { version: "1.2.3", commit: "0123abc" },
  webRoot: folder,
  adminRoot: folder,
  connectProvider: connectContractsApi,
  postWebhook: () => Promise.reject(new Error("the shop has no webhooks")),
  times: quickTimes,
});
const { http: shop } = app;
const document: unknown = (await shop.inject(paths.openapi)).json();

afterAll(async () => {
  await app.close();
  await resources.close();
  rmSync(folder, { recursive: true });
});

/** The value at a path of the document. */
function at(...location: string[]): unknown {
  return location.reduce<unknown>((value, name) => Reflect.get(Object(value), name), document);
}

/** Every object in the document, with its path. */
function objectsIn(
  value: unknown,
  location: string[] = [],
): { location: string[]; object: object }[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, part]) =>
    objectsIn(part, [...location, name]),
  );
  return [{ location, object: value }, ...inside];
}

const operations = objectsIn(at("paths")).filter(
  ({ location: [, method, ...rest] }) =>
    rest.length === 0 && method !== undefined && method !== "parameters",
);

const operationMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Sends a request without a body to an operation. */
async function send(
  { location: [path = "", method = ""] }: { location: string[] },
  headers: Record<string, string> = {},
) {
  const verb = operationMethods.find((known) => known.toLowerCase() === method);
  return shop.inject({
    url: path.replace("{id}", "abcdef01"),
    headers,
    ...(verb && { method: verb }),
  });
}

describe("the document passes the linters:", () => {
  const bin = join(import.meta.dirname, "../../../../../node_modules");
  const file = join(folder, "openapi.json");
  const rules = join(folder, "spectral.json");
  beforeAll(() => {
    writeFileSync(file, JSON.stringify(document));
    writeFileSync(rules, JSON.stringify({ extends: ["spectral:oas"] }));
  });

  test.each([
    ["redocly, recommended", "@redocly/cli/bin/cli.js", ["lint", "--extends=recommended", file]],
    [
      "spectral",
      "@stoplight/spectral-cli/dist/index.js",
      ["lint", "--fail-severity=error", "--ruleset", rules, file],
    ],
  ])("%s", async (_, program, args) => {
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    };
    const linting = promisify(execFile)(process.execPath, [join(bin, program), ...args], { env });
    const output = await linting.then(
      () => "",
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    );
    expect(output).toBe("");
  });
});

test("the document names required fields, every setting, and the columns of an import", () => {
  const answerOf = (path: string, method: string) =>
    at(
      "paths",
      path,
      method,
      "responses",
      method === "post" ? "201" : "200",
      "content",
      "application/json",
      "schema",
    );
  expect(answerOf(paths.orders, "post")).toMatchObject({
    required: expect.arrayContaining(["id", "status", "key"]),
  });
  const order = {
    required: expect.arrayContaining(["id", "status", "customer_name", "billing_address"]),
  };
  expect(answerOf("/api/orders/{id}", "get")).toMatchObject(order);
  expect(answerOf(paths.admin.settings, "get")).toMatchObject({
    properties: {
      settings: {
        properties: Object.fromEntries(shopSettingNames.map((name) => [name, expect.anything()])),
      },
    },
  });
  expect(at("paths", paths.admin.import, "post", "requestBody", "content")).toMatchObject({
    "application/json": expect.anything(),
    "text/csv": { schema: { type: "string" } },
  });
});

test("every operation has a unique id", () => {
  const ids = operations.map(({ object }) => Reflect.get(object, "operationId"));
  expect(ids.length).toBeGreaterThanOrEqual(12);
  expect(ids.every((id) => /^[a-z][A-Za-z]+$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

test("the document has the routes that require an API token", async () => {
  const statuses = await Promise.all(
    operations
      .filter(({ location: [path] }) => path !== paths.orderStream)
      .map(async ({ location, object }) => {
        const isRequired = (await send({ location })).statusCode === 401;
        const isDocumented = securityOf(object).length > 0;
        return { location: location.join(" "), isRequired, isDocumented };
      }),
  );
  expect(statuses.filter(({ isDocumented }) => isDocumented).length).toBeGreaterThanOrEqual(7);
  expect(statuses.filter((route) => route.isRequired !== route.isDocumented)).toEqual([]);
});

test("the document has the routes that require an order key, and describes the header", async () => {
  expect(at("components", "securitySchemes", "orderKey")).toMatchObject({
    type: "apiKey",
    in: "header",
    name: "Order-Key",
    description: expect.stringContaining("POST /api/orders"),
  });
  const documented = operations.map(({ location, object }) => ({
    isForCustomer: !location[0]?.startsWith("/api/admin/"),
    security: JSON.stringify(securityOf(object)),
  }));
  const ofCustomer = documented.filter(
    ({ isForCustomer, security }) => isForCustomer && security !== "[]",
  );
  expect(ofCustomer.length).toBeGreaterThanOrEqual(2);
  expect(new Set(ofCustomer.map(({ security }) => security))).toEqual(
    new Set(['[{"orderKey":[]}]']),
  );
  expect(
    documented.filter(
      ({ isForCustomer, security }) => !isForCustomer && security.includes("orderKey"),
    ),
  ).toEqual([]);
});

describe("a customer route that changes something", () => {
  const routes = operations.filter(
    ({ location: [path, method] }) => !path?.startsWith("/api/admin/") && method !== "get",
  );
  let order: z.output<typeof placedOrderSchema>;
  beforeAll(async () => {
    const sample = join(import.meta.dirname, "../../../../../catalogue/items.json");
    await loadSampleCatalogue(resources.database, sample);
    const placed = await shop.inject({ method: "POST", url: paths.orders, payload: anOrder() });
    order = z.decode(placedOrderSchema, placed.json());
  });

  test("is protected against CSRF", async () => {
    expect(routes.length).toBeGreaterThanOrEqual(3);
    for (const { location } of routes) {
      const answer = await send({ location }, { origin: "https://evil.example" });
      expect(answer.statusCode, location.join(" ")).toBe(403);
    }
  });

  test("has a rate limit per address, also for the holder of the order key", async () => {
    for (const [index, { location }] of routes.entries()) {
      const [path = "", method = ""] = location;
      const inject = () =>
        shop.inject({
          method: operationMethods.find((known) => known.toLowerCase() === method) ?? "POST",
          url: path.replace("{id}", order.id),
          headers: { [orderKeyHeader]: order.key ?? "" },
          remoteAddress: `203.0.113.${index}`,
        });
      let status = (await inject()).statusCode;
      for (let more = 0; more < 100 && status !== 429; more += 1)
        status = (await inject()).statusCode;
      expect(status, location.join(" ")).toBe(429);
    }
  });
});

/** The security requirements of an operation; empty if it is public. */
function securityOf(object: object): object[] {
  return Reflect.get(object, "security");
}

function permissionOf(operation: object): Permission {
  return Reflect.get(operation, "security")[0].apiToken[0];
}

test.each(roles)(
  "a route refuses the role %s if and only if the role lacks the documented permission",
  async (role) => {
    const created = await shop.inject({
      method: "POST",
      url: paths.admin.tokens,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
      payload: { name: `a ${role}`, role },
    });
    const headers = { authorization: `Bearer ${created.json().token}` };
    const routes = operations.filter(({ location: [path] }) => path?.startsWith("/api/admin/"));
    expect(routes.length).toBeGreaterThan(20);
    for (const { location, object } of routes) {
      const permission = permissionOf(object);
      const isRefused = (await send({ location }, headers)).body.includes(
        '"code":"permission_required"',
      );
      expect(isRefused, `${location.join(" ")} needs ${permission}`).toBe(
        !hasPermission(role, permission),
      );
    }
  },
);

test("only owners may access settings, staff, passkeys, tokens, webhooks, test emails and order keys", () => {
  const ownersOnly =
    /^\/api\/admin\/(?:settings|server-settings|staff|passkeys|sign-in-links|tokens|webhooks|mail|order-keys)/;
  for (const { location, object } of operations.filter(({ location: [path] }) =>
    path?.startsWith("/api/admin/"),
  )) {
    const permission = permissionOf(object);
    expect(hasPermission("staff", permission), location.join(" ")).toBe(
      !ownersOnly.test(location[0] ?? ""),
    );
    expect(hasPermission("owner", permission), location.join(" ")).toBe(true);
  }
});

test("every string in a request has a maximum length, a pattern, an enum or a constant", () => {
  const texts = objectsIn(at("paths")).filter(
    ({ location, object }) =>
      (location.includes("requestBody") || location.includes("parameters")) &&
      !location.includes(paths.orderStream) &&
      Reflect.get(object, "type") === "string",
  );
  expect(texts.length).toBeGreaterThan(20);
  const open = texts.filter(
    ({ object }) =>
      !["maxLength", "pattern", "enum", "const"].some((rule) => Object.hasOwn(object, rule)),
  );
  expect(
    open
      .map(({ location }) => location.join(" "))
      .filter((location) => !location.includes(" text/csv ")),
  ).toEqual([]);
});

test("the document lists the statuses and describes the cursors", () => {
  const ofOrders = at("paths", "/api/admin/orders", "get", "parameters");
  const statuses = { pattern: expect.stringContaining(orderStatuses.join("|")) };
  expect(ofOrders).toContainEqual(
    expect.objectContaining({ name: "status", schema: expect.objectContaining(statuses) }),
  );
  expect(ofOrders).toContainEqual(
    expect.objectContaining({
      name: "cursor",
      schema: { type: "string", pattern: expect.any(String) },
    }),
  );
  expect(at("paths", "/api/admin/payment-issues", "get", "parameters")).toEqual([
    expect.objectContaining({
      name: "state",
      schema: { type: "string", enum: ["open", "resolved"] },
    }),
    expect.objectContaining({ name: "kind", schema: { type: "string", enum: issueKinds } }),
    expect.objectContaining({
      name: "cursor",
      description: expect.stringContaining("next_cursor"),
    }),
  ]);
  const placed = [
    "responses",
    "201",
    "content",
    "application/json",
    "schema",
    "properties",
    "status",
  ];
  expect(at("paths", paths.orders, "post", ...placed)).toEqual({
    type: "string",
    enum: orderStatuses,
  });
});

test("the document describes the parameters of the order stream", () => {
  const id = { in: "query", schema: { type: "string", minLength: 1, maxLength: 200 } };
  expect(at("paths", paths.orderStream, "get", "parameters")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "order_id", required: true, ...id }),
      expect.objectContaining({ name: "contract_id", ...id }),
      expect.objectContaining({ name: "key", description: expect.stringContaining("secret") }),
    ]),
  );
});

test("the document describes the messages of the order stream", () => {
  expect(at("paths", paths.orderStream, "get", "x-messages", "$ref")).toBe(
    "#/components/schemas/OrderStreamMessage",
  );
  const messages = JSON.stringify(at("components", "schemas", "OrderStreamMessage"));
  for (const word of [
    "order",
    "error",
    "payment_attempt_failed",
    ...streamErrorKinds,
    ...orderStatuses,
  ])
    expect(messages).toContain(`"${word}"`);
});

test("the document describes the messages to webhooks with their schemas", () => {
  const { webhooks } = z.object({ webhooks: z.record(z.string(), z.unknown()) }).parse(document);
  expect(Object.keys(webhooks)).toEqual([...webhookEventTypes]);
  expect(webhooks["order.refunded"]).toMatchObject({
    post: {
      requestBody: {
        content: {
          "application/json": {
            schema: {
              properties: {
                type: { const: "order.refunded" },
                data: { properties: { order_id: { format: "uuid" }, amount: { type: "number" } } },
              },
              required: ["type", "timestamp", "data"],
            },
          },
        },
      },
    },
  });
});
