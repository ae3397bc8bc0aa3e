import { idempotencyHeader, idempotencyKeySchema, type Permission } from "@keepsats/protocol";
import * as z from "zod/mini";

type Fields = z.ZodMiniObject;

/** The schemas of the parts of a request. Header names are in lower case. */
export type Takes = z.ZodMiniObject<{
  readonly params?: Fields;
  readonly query?: Fields;
  readonly headers?: Fields;
  readonly body?: z.core.$ZodType;
}>;

/** For a request without parameters and body. */
export const noFields = z.object({});

/**
 * The declaration of one route: its parameters, its answers, and its description in the OpenAPI
 * document. Errors are answered with problems, see `problems.ts`.
 */
export interface Operation<
  T extends Takes = Takes,
  Answer extends z.core.$ZodType = z.core.$ZodType,
> {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Of the principal. The admin API has no route without one. */
  readonly permission?: Permission;
  /** With `orderKey`, the route takes an order key. */
  readonly auth?: "orderKey";
  /** Validated in this order; only the errors of the first invalid part are answered. */
  readonly takes: T;
  /** The media type of a body that is a file; with `body`, an alternative to it. */
  readonly takesFile?: string;
  /**
   * The detail of the 404 that answers a handler's `undefined`, and invalid `params` instead of 422.
   */
  readonly notFoundDetail?: string;
  /** The schemas of successful answers, by status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** The media type of the answers, if it is not JSON. */
  readonly media?: string;
  /** For a WebSocket: the schema of the server's messages, and its name in the OpenAPI document. */
  readonly messages?: { readonly name: string; readonly schema: z.core.$ZodType };
}

/** An operation with its method and path; `:id` in the path is a parameter. */
export interface RoutedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** A route without it takes no query parameters and is not in the OpenAPI document. */
    operation?: Operation;
  }
}

/** The header `Idempotency-Key`, with which a repeated request changes nothing. */
export const idempotencyHeaders = (description: string) =>
  z.object({
    [idempotencyHeader]: z.optional(idempotencyKeySchema.check(z.describe(description))),
  });

/**
 * The id of a row in a path. Other characters are in no id, and PostgreSQL refuses NUL in a query.
 */
export const storedId = z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/));
