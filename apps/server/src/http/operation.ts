import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";

type Fields = z.ZodMiniObject;

/** What a request may carry, each part with the schema that checks it. Names of headers are in lower case. */
export type Takes = z.ZodMiniObject<{
  readonly params?: Fields;
  readonly query?: Fields;
  readonly headers?: Fields;
  readonly body?: z.core.$ZodType;
}>;

/** For routes that take neither parameters nor a body. */
export const nothing = z.object({});

/**
 * Everything that is declared of one route: what it takes, what it answers, and how the API document describes it.
 * Answers that are no success are problems, see `problems.ts`.
 */
export interface Operation<T extends Takes = Takes, Answer extends z.core.$ZodType = z.core.$ZodType> {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: "shop" | "merchant";
  /** Whose bearer token it needs. The scope of the route checks it. */
  readonly auth?: "merchant";
  /** The parts are checked in the order in which they stand here, and the first that is wrong is answered. */
  readonly takes: T;
  /** Makes a request with `params` that cannot be a 404 with this sentence, instead of a 422: nothing can be there. */
  readonly unknown?: string;
  /** The status of a success and the schema of its body. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** For a WebSocket: the name that the document gives the schema of what the server sends, and the schema. */
  readonly messages?: { readonly name: string; readonly schema: z.core.$ZodType };
}

/** An operation and where it is; `:id` in the path stands for a parameter. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** What is declared of the route; a route without it takes no query and is not in the API document. */
    operation?: Operation;
  }
}

/**
 * Notes the operations of the routes that are registered from now on.
 *
 * @returns all that were noted, in the order of their registration
 */
export function collectOperations(app: FastifyInstance): () => readonly PlacedOperation[] {
  const operations: PlacedOperation[] = [];
  app.addHook("onRoute", ({ method, url, config }) => {
    if (config?.operation === undefined || method === "HEAD") return;
    operations.push({ method: String(method), path: url, operation: config.operation });
  });
  return () => operations;
}
