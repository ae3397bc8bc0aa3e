import type { Permission } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";

type Fields = z.ZodMiniObject;

/** The schemas of the parts of a request. Header names are in lower case. */
export type Takes = z.ZodMiniObject<{
  readonly params?: Fields;
  readonly query?: Fields;
  readonly headers?: Fields;
  readonly body?: z.core.$ZodType;
}>;

/** The schema of an empty part of a request. */
export const noFields = z.object({});

/**
 * The declaration of one route: its parameters, its answers, and its description in the API
 * document. Error answers are problems, see `problems.ts`.
 */
export type Operation<
  T extends Takes = Takes,
  Answer extends z.core.$ZodType = z.core.$ZodType,
> = Described<T, Answer> & (StaffAccess | OpenAccess);

/** Every route of the merchant API names the permission that its token or session needs. */
interface StaffAccess {
  readonly tag: "merchant";
  readonly permission: Permission;
  readonly auth?: never;
}

/** With `auth`, the route takes the key of its order. */
interface OpenAccess {
  readonly tag: "shop" | "desk";
  readonly permission?: never;
  readonly auth?: "orderKey";
}

interface Described<T extends Takes, Answer extends z.core.$ZodType> {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * The parts are checked in this order; only the errors of the first invalid part are answered.
   */
  readonly takes: T;
  /** The media type of a body that is a file; beside a `body`, another form of it. */
  readonly takesFile?: string;
  /** With this sentence, invalid `params` are answered with 404 instead of 422. */
  readonly unknown?: string;
  /** The schemas of successful answers, by status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** The media type of the answers, if it is not JSON. */
  readonly media?: string;
  /** For a WebSocket: the schema of the server's messages, and its name in the document. */
  readonly messages?: { readonly name: string; readonly schema: z.core.$ZodType };
}

/** An operation with its method and path; `:id` in the path is a parameter. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The declaration of the route. A route without it takes no query parameters and is not in the
     * API document.
     */
    operation?: Operation;
  }
}

/**
 * Records the operations of the routes that are registered from now on.
 *
 * @returns the operations, in the order of their registration
 */
export function collectOperations(app: FastifyInstance): () => readonly PlacedOperation[] {
  const operations: PlacedOperation[] = [];
  app.addHook("onRoute", ({ method, url, config }) => {
    if (config?.operation === undefined || method === "HEAD") return;
    operations.push({ method: String(method), path: url, operation: config.operation });
  });
  return () => operations;
}
