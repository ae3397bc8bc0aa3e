import { paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import manifest from "../../package.json" with { type: "json" };
import type { PlacedOperation } from "./operation.ts";

interface Options {
  readonly publicUrl: string;
  /** All operations of the shop. */
  readonly operations: () => readonly PlacedOperation[];
}

/** `GET /api/openapi.json`; the document is built at the first request. */
export function openApiRoute(app: FastifyInstance, { publicUrl, operations }: Options): void {
  let document: Promise<string> | undefined;

  async function make(): Promise<string> {
    const { openApiDocument } = await import("./openapi.ts");
    return JSON.stringify(openApiDocument({ publicUrl, version: manifest.version }, operations()));
  }

  app.get(paths.openapi, async (_request, reply) => {
    document ??= make();
    return reply.type("application/json; charset=utf-8").send(await document);
  });
}
