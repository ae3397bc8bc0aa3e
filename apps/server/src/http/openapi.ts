import {
  createOrderSchema,
  currentUserSchema,
  idempotencyKeySchema,
  importAnswerSchema,
  importQuerySchema,
  itemIdSchema,
  itemImportSchema,
  itemPatchSchema,
  itemsSchema,
  itemWriteSchema,
  MAX_STREAM_ID_LENGTH,
  merchantItemSchema,
  merchantItemsSchema,
  merchantOrderSchema,
  mismatchesSchema,
  mismatchQuerySchema,
  orderListQuerySchema,
  orderPageSchema,
  paths,
  placedOrderSchema,
  problemSchema,
  problemType,
  streamMessageSchema,
  streamParameters,
  transitionAnswerSchema,
  transitionRequestSchema,
} from "@keepsats/protocol";
import type * as z from "zod/mini";
import { answerFacts, bodyFacts, jsonSchema, messageFacts } from "./openapi-schemas.ts";

type Schema = z.core.$ZodType;

/** The OpenAPI 3.1 document of the shop, made from the schemas that check its messages. */
export function openApiDocument(shop: { publicUrl: string; version: string }) {
  return {
    openapi: "3.1.0",
    info: { title: "Keepsats", version: shop.version, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: shop.publicUrl }],
    components: {
      securitySchemes: { merchant: { type: "http", scheme: "bearer" } },
      schemas: {
        Problem: jsonSchema(problemSchema),
        OrderStreamMessage: jsonSchema(streamMessageSchema, messageFacts),
      },
    },
    paths: { ...shopPaths(), ...merchantPaths() },
  };
}

function shopPaths() {
  return {
    [paths.items]: { get: operation("listItems", "The items of the catalogue", { 200: itemsSchema }) },
    [paths.me]: {
      get: operation("showAccount", "The shop's account at the loan provider", { 200: currentUserSchema }),
    },
    [paths.orders]: {
      post: {
        ...operation("placeOrder", "Place an order", { 201: placedOrderSchema }, createOrderSchema),
        parameters: [
          {
            name: "Idempotency-Key",
            in: "header",
            description: "The same key and body get the first answer again, with Idempotent-Replayed: true",
            schema: jsonSchema(idempotencyKeySchema),
          },
        ],
      },
    },
    [paths.orderStream]: {
      get: {
        operationId: "followOrder",
        description: "What the server sends is text in JSON: the schema that x-messages names.",
        summary: "Follow an order (WebSocket)",
        parameters: Object.values(streamParameters).map((name) => ({
          name,
          in: "query",
          ...(name === streamParameters.key
            ? { required: false, schema: { type: "string" } }
            : { required: true, schema: { type: "string", minLength: 1, maxLength: MAX_STREAM_ID_LENGTH } }),
        })),
        responses: { 101: { description: "The socket is open" }, default: problemResponse },
        "x-messages": { $ref: "#/components/schemas/OrderStreamMessage" },
      },
    },
  };
}

function merchantPaths() {
  const forMerchant = <T extends object>(operations: T) => ({ ...operations, security: [{ merchant: [] }] });
  return {
    [paths.merchant.orders]: {
      get: {
        ...forMerchant(operation("listOrders", "A page of orders, newest first", { 200: orderPageSchema })),
        parameters: queryParameters(orderListQuerySchema),
      },
    },
    [template(paths.merchant.order)]: {
      parameters: [orderId],
      get: forMerchant(
        operation("showOrder", "One order with its events and contracts", { 200: merchantOrderSchema }),
      ),
    },
    [template(paths.merchant.transitions)]: {
      parameters: [orderId],
      post: forMerchant(
        operation("moveOrder", "Move an order", { 200: transitionAnswerSchema }, transitionRequestSchema),
      ),
    },
    [paths.merchant.mismatches]: {
      get: {
        ...forMerchant(
          operation("listMismatches", "A page of contracts that do not pay their order, newest first", {
            200: mismatchesSchema,
          }),
        ),
        parameters: queryParameters(mismatchQuerySchema),
      },
    },
    ...merchantItemPaths(forMerchant),
  };
}

function merchantItemPaths(forMerchant: <T extends object>(operations: T) => T & { security: object[] }) {
  return {
    [paths.merchant.items]: {
      get: forMerchant(operation("listAllItems", "All items, hidden ones too", { 200: merchantItemsSchema })),
    },
    [template(paths.merchant.item)]: {
      parameters: [{ name: "id", in: "path", required: true, schema: jsonSchema(itemIdSchema) }],
      put: forMerchant(
        operation("putItem", "Add or replace an item", { 200: merchantItemSchema }, itemWriteSchema),
      ),
      patch: forMerchant(
        operation("patchItem", "Change some fields of an item", { 200: merchantItemSchema }, itemPatchSchema),
      ),
    },
    [paths.merchant.import]: {
      post: {
        ...forMerchant(
          operation(
            "importItems",
            "Add and change many items",
            { 200: importAnswerSchema },
            itemImportSchema,
          ),
        ),
        parameters: queryParameters(importQuerySchema),
      },
    },
  };
}

const orderId = {
  name: "id",
  in: "path",
  required: true,
  description: "The id of an order, or its beginning where no other order's is the same",
  schema: { type: "string", minLength: 8, maxLength: 36, pattern: "^[0-9A-Fa-f-]*$" },
};

/** The query parameters that a schema takes; a cursor is the `next_cursor` of the page before. */
function queryParameters({ shape }: { readonly shape: Readonly<Record<string, Schema>> }) {
  return Object.entries(shape).map(([name, schema]) => ({
    name,
    in: "query",
    ...(name === "cursor" ? { description: "The next_cursor of the page before, as it is" } : {}),
    schema: jsonSchema(schema),
  }));
}

function template(path: string): string {
  return path.replace(":id", "{id}");
}

const problemResponse = {
  description: "A problem (RFC 9457)",
  headers: {
    "Retry-After": { description: "Of 429 and 503, in seconds", schema: { type: "integer", minimum: 1 } },
    Allow: { description: "Of 405: the methods that can be used", schema: { type: "string" } },
  },
  content: { [problemType]: { schema: { $ref: "#/components/schemas/Problem" } } },
};

function operation(operationId: string, summary: string, answers: Record<number, Schema>, body?: Schema) {
  const json = (schema: object) => ({ content: { "application/json": { schema } } });
  const responses = Object.entries(answers).map(([status, schema]) => [
    status,
    { description: summary, ...json(jsonSchema(schema, answerFacts)) },
  ]);
  return {
    operationId,
    summary,
    ...(body === undefined ? {} : { requestBody: { required: true, ...json(jsonSchema(body, bodyFacts)) } }),
    responses: { ...Object.fromEntries(responses), default: problemResponse },
  };
}
