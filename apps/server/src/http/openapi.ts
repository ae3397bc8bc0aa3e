import {
  createOrderSchema,
  currentUserSchema,
  importAnswerSchema,
  itemImportSchema,
  itemPatchSchema,
  itemsSchema,
  itemWriteSchema,
  merchantItemSchema,
  merchantItemsSchema,
  merchantOrderSchema,
  mismatchesSchema,
  orderPageSchema,
  paths,
  placedOrderSchema,
  problemSchema,
  problemType,
  transitionAnswerSchema,
  transitionRequestSchema,
} from "@keepsats/protocol";
import * as z from "zod/mini";

type Schema = z.core.$ZodType;

/** The OpenAPI 3.1 document of the shop, made from the schemas that check its messages. */
export function openApiDocument(shop: { publicUrl: string; version: string }) {
  return {
    openapi: "3.1.0",
    info: { title: "Keepsats", version: shop.version, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: shop.publicUrl }],
    components: {
      securitySchemes: { merchant: { type: "http", scheme: "bearer" } },
      schemas: { Problem: jsonSchema(problemSchema) },
    },
    paths: { ...shopPaths(), ...merchantPaths() },
  };
}

function shopPaths() {
  return {
    [paths.items]: { get: operation("The items of the catalogue", { 200: itemsSchema }) },
    [paths.me]: {
      get: operation("The shop's account at the loan provider", { 200: currentUserSchema }),
    },
    [paths.orders]: {
      post: {
        ...operation("Place an order", { 201: placedOrderSchema }, createOrderSchema),
        parameters: [
          {
            name: "Idempotency-Key",
            in: "header",
            schema: { type: "string", minLength: 1, maxLength: 200 },
          },
        ],
      },
    },
    [paths.orderStream]: {
      get: {
        summary: "Follow an order (WebSocket)",
        parameters: ["order_id", "contract_id"].map((name) => ({
          name,
          in: "query",
          required: true,
          schema: { type: "string" },
        })),
        responses: { 101: { description: "The socket is open" }, default: problemResponse },
      },
    },
  };
}

function merchantPaths() {
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const forMerchant = <T extends object>(operations: T) => ({ ...operations, security: [{ merchant: [] }] });
  const query = ["status", "cursor"].map((name) => ({ name, in: "query", schema: { type: "string" } }));
  return {
    [paths.merchant.orders]: {
      get: {
        ...forMerchant(operation("A page of orders, newest first", { 200: orderPageSchema })),
        parameters: query,
      },
    },
    [template(paths.merchant.order)]: {
      parameters: [id],
      get: forMerchant(operation("One order with its events and contracts", { 200: merchantOrderSchema })),
    },
    [template(paths.merchant.transitions)]: {
      parameters: [id],
      post: forMerchant(operation("Move an order", { 200: transitionAnswerSchema }, transitionRequestSchema)),
    },
    [paths.merchant.mismatches]: {
      get: forMerchant(operation("Contracts that do not pay their order", { 200: mismatchesSchema })),
    },
    [paths.merchant.items]: {
      get: forMerchant(operation("All items, hidden ones too", { 200: merchantItemsSchema })),
    },
    [template(paths.merchant.item)]: {
      parameters: [id],
      put: forMerchant(operation("Add or replace an item", { 200: merchantItemSchema }, itemWriteSchema)),
      patch: forMerchant(
        operation("Change some fields of an item", { 200: merchantItemSchema }, itemPatchSchema),
      ),
    },
    [paths.merchant.import]: {
      post: forMerchant(
        operation("Add or replace many items", { 200: importAnswerSchema }, itemImportSchema),
      ),
    },
  };
}

function template(path: string): string {
  return path.replace(":id", "{id}");
}

const problemResponse = {
  description: "A problem (RFC 9457)",
  content: { [problemType]: { schema: { $ref: "#/components/schemas/Problem" } } },
};

function operation(summary: string, answers: Record<number, Schema>, body?: Schema) {
  const responses = Object.entries(answers).map(([status, schema]) => [
    status,
    { description: summary, content: { "application/json": { schema: jsonSchema(schema) } } },
  ]);
  return {
    summary,
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: jsonSchema(body) } } } }),
    responses: { ...Object.fromEntries(responses), default: problemResponse },
  };
}

function jsonSchema(schema: Schema) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}
