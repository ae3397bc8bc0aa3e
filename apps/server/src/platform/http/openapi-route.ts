import { paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import manifest from "../../../package.json" with { type: "json" };
import type { RoutedOperation } from "./operation.ts";

/**
 * Records the operations of all routes that are added from now on.
 *
 * @returns the operations, in the order in which their routes were added
 */
export function collectOperations(app: FastifyInstance): () => readonly RoutedOperation[] {
  const operations: RoutedOperation[] = [];
  app.addHook("onRoute", ({ method, url, config }) => {
    if (config?.operation === undefined || method === "HEAD") return;
    operations.push({ method: String(method), path: url, operation: config.operation });
  });
  return () => operations;
}

interface Options {
  readonly publicUrl: string;
  readonly operations: () => readonly RoutedOperation[];
}

/** `GET /api/openapi.json`; the document is built at the first request. */
export function openApiRoute(app: FastifyInstance, { publicUrl, operations }: Options): void {
  let document: Promise<string> | undefined;

  async function build(): Promise<string> {
    const { openApiDocument } = await import("./openapi.ts");
    return JSON.stringify(openApiDocument({ publicUrl, version: manifest.version }, operations()));
  }

  app.get(paths.openapi, async (_request, reply) => {
    document ??= build();
    return reply.type("application/json; charset=utf-8").send(await document);
  });
}
