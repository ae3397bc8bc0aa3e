import {
  orderKeyHeader,
  problemSchema,
  problemType,
  type WebhookEventType,
  webhookEvents,
  webhookEventTypes,
  webhookPayloadSchema,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Operation, RoutedOperation } from "./operation.ts";
import { headerName } from "./route.ts";

type Schema = z.core.$ZodType;

export interface DocumentedShop {
  readonly publicUrl: string;
  readonly version: string;
}

/** The OpenAPI 3.1 document of the operations. */
export function openApiDocument(
  { publicUrl, version }: DocumentedShop,
  operations: readonly RoutedOperation[],
) {
  const messages = operations.flatMap(({ operation }) => operation.messages ?? []);
  const byPath = Map.groupBy(operations, ({ path }) => path.replaceAll(/:(\w+)/g, "{$1}"));
  return {
    openapi: "3.1.0",
    info: {
      title: "Keepsats",
      description: "The API of a shop, for customers and, with an API token, for staff.",
      version,
      contact: { url: publicUrl },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl }],
    tags,
    components: {
      securitySchemes: {
        apiToken: { type: "http", scheme: "bearer" },
        orderKey: {
          type: "apiKey",
          in: "header",
          name: headerName(orderKeyHeader),
          description:
            "The `key` in the answer of `POST /api/orders`, and in the fragment of the order link",
        },
      },
      schemas: {
        Problem: jsonSchema(problemSchema),
        ...Object.fromEntries(messages.map(({ name, schema }) => [name, jsonSchema(schema)])),
      },
      responses: { Problem: problemResponse },
    },
    paths: Object.fromEntries(
      [...byPath].map(([path, placed]) => [
        path,
        Object.fromEntries(
          placed.map(({ method, operation }) => [method.toLowerCase(), described(operation)]),
        ),
      ]),
    ),
    webhooks: Object.fromEntries(
      webhookEventTypes.map((type) => [type, { post: webhookRequest(type) }]),
    ),
  };
}

const tags = [
  {
    name: "shop",
    description: "For customers. Public; some operations need an order key",
  },
  {
    name: "admin",
    description: "For staff. Each operation needs an API token whose role has its permission",
  },
  { name: "webhooks", description: "Messages that the shop sends to webhooks" },
];

/** The request to webhooks for a type of events. */
function webhookRequest(type: WebhookEventType) {
  return {
    operationId: `sent.${type}`,
    summary: webhookEvents[type].summary,
    security: [],
    tags: ["webhooks"],
    parameters: webhookHeaders.map(({ name, description }) => ({
      name,
      in: "header",
      required: true,
      description,
      schema: { type: "string" },
    })),
    requestBody: { required: true, ...json(webhookPayloadSchema(type)) },
    responses: webhookResponses,
  };
}

const webhookHeaders = [
  { name: "webhook-id", description: "Identifies the message; the same for every retry" },
  { name: "webhook-timestamp", description: "The time of this attempt, in seconds since 1970" },
  {
    name: "webhook-signature",
    description:
      "`v1,` and the base64 of the HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` (Standard Webhooks); two of them, separated by a space, for 24 hours after a change of the secret",
  },
];

const webhookResponses = {
  "2XX": { description: "The message was received" },
  410: { description: "The webhook is gone, and is switched off" },
  default: {
    description:
      "The message is retried for about three days; `Retry-After` is respected up to an hour",
  },
};

function described(operation: Operation) {
  const { operationId, summary, description, permission, takes, takesFile, messages } = operation;
  const { params, query, headers, body } = takes.shape;
  const parameters = [
    ...parametersIn("path", params),
    ...parametersIn("query", query),
    ...parametersIn("header", headers),
  ];
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [permission === undefined ? "shop" : "admin"],
    security: securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined && takesFile === undefined
      ? {}
      : { requestBody: { required: true, content: { ...contentOf(body), ...fileOf(takesFile) } } }),
    responses: { ...successes(operation), "4XX": problemReference, "5XX": problemReference },
    ...(messages === undefined
      ? {}
      : { "x-messages": { $ref: `#/components/schemas/${messages.name}` } }),
  };
}

/** An empty list: the operation is public. */
function securityOf({ permission, auth }: Operation) {
  if (permission !== undefined) return [{ apiToken: [permission] }];
  return auth === undefined ? [] : [{ [auth]: [] }];
}

function fileOf(media: string | undefined) {
  if (media === undefined) return {};
  return { [media]: media.startsWith("text/") ? { schema: { type: "string" } } : {} };
}

function parametersIn(location: "path" | "query" | "header", fields: z.ZodMiniObject | undefined) {
  return Object.entries(fields?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = jsonSchema(field);
    return {
      name: location === "header" ? headerName(name) : name,
      in: location,
      ...(description === undefined ? {} : { description }),
      ...(field._zod.optin === "optional" ? {} : { required: true }),
      schema,
    };
  });
}

function successes({ answers, messages, summary, media }: Operation) {
  if (messages !== undefined) {
    const schema = { $ref: `#/components/schemas/${messages.name}` };
    return {
      101: {
        description: "The WebSocket is open and sends messages",
        content: { "application/json": { schema } },
      },
    };
  }
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      { description: summary, ...json(schema, media) },
    ]),
  );
}

const problemResponse = {
  description: "A problem (RFC 9457)",
  headers: {
    "Retry-After": {
      description: "Of 429 and 503, in seconds",
      schema: { type: "integer", minimum: 1 },
    },
    Allow: { description: "Of 405: the methods that can be used", schema: { type: "string" } },
  },
  content: { [problemType]: { schema: { $ref: "#/components/schemas/Problem" } } },
};

const problemReference = { $ref: "#/components/responses/Problem" };

function json(schema: Schema, media?: string) {
  return { content: contentOf(schema, media) };
}

function contentOf(schema: Schema | undefined, media = "application/json") {
  return schema === undefined ? {} : { [media]: { schema: jsonSchema(schema) } };
}

/** Converts a schema to the JSON Schema of its wire format. */
function jsonSchema(schema: Schema) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ jsonSchema }) {
      // Zod adds the limits of safe integers to every integer.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return rest;
}
