import type { OutgoingHttpHeaders } from "node:http";
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestHookHandler,
} from "fastify";
import * as z from "zod/mini";
import type { Limit } from "../rate-limit/limit.ts";
import { Refusal } from "../refusal.ts";
import type { Operation, Takes } from "./operation.ts";
import { sendInvalid, sendProblem, sendRefusal, sendTooMany } from "./problems.ts";

export interface Endpoint {
  readonly method: HTTPMethods;
  readonly path: string;
  /** Hooks that run before the request is validated. */
  readonly onRequest: onRequestHookHandler[];
}

const endpointsOf =
  (method: HTTPMethods) =>
  (path: string, onRequest: onRequestHookHandler[] = []): Endpoint => ({ method, path, onRequest });

export const get = endpointsOf("GET");
export const post = endpointsOf("POST");
export const put = endpointsOf("PUT");
export const patch = endpointsOf("PATCH");
export const del = endpointsOf("DELETE");

/**
 * Adds a route: validates and decodes the request, calls the handler, and encodes its answer. An
 * invalid request is answered with a problem, without calling the handler.
 *
 * The handler returns the decoded body (cents, milliseconds), why the request is refused, or the
 * reply if it has already been sent. If the operation has a `notFoundDetail`, it can return
 * `undefined` for 404.
 *
 * @example route(app, get(paths.admin.items), listAllItems, async () => ({
 *   items: await listItems(db) }));
 */
export function route<
  T extends Takes,
  Answer extends z.core.$ZodType,
  NotFound extends string | undefined = undefined,
>(
  app: FastifyInstance,
  { method, path: url, onRequest }: Endpoint,
  operation: Operation<T, Answer> & { readonly notFoundDetail?: NotFound },
  handler: (
    input: z.output<T>,
    reply: FastifyReply,
  ) => Promise<
    z.output<Answer> | Refusal | FastifyReply | (NotFound extends string ? undefined : never)
  >,
): void {
  const { status, schema } = successOf(operation);
  const { notFoundDetail } = operation;
  app.route({
    method,
    url,
    onRequest,
    config: { operation },
    async handler(request, reply) {
      const input = parseRequest(operation, request);
      if (!input.success) return refuseInvalid(reply, operation, input.error.issues);
      const answer = await handler(input.data, reply);
      // Awaiting a reply that the handler returned gives `undefined`, also after the client has gone.
      if (reply.sent || (answer === undefined && notFoundDetail === undefined)) return reply;
      if (answer === undefined) return sendProblem(reply, "not_found", { detail: notFoundDetail });
      if (answer instanceof Refusal) return sendRefusal(reply, answer);
      return reply.code(status).send(z.encode(schema, answer));
    },
  });
}

function successOf<Answer extends z.core.$ZodType>({
  operationId,
  answers,
}: Operation<Takes, Answer>) {
  const [first] = Object.entries(answers);
  if (first === undefined) throw new Error(`${operationId} has no answer`);
  return { status: Number(first[0]), schema: first[1] };
}

/** Validates and decodes a request. For routes that cannot use {@link route}. */
export function parseRequest<T extends Takes>(operation: Operation<T>, request: FastifyRequest) {
  const { params, query, headers, body } = request;
  return z.safeParse(operation.takes, { params, query, headers, body });
}

/** Answers with the errors of the first invalid part. */
export function refuseInvalid(
  reply: FastifyReply,
  { notFoundDetail }: Operation,
  issues: readonly z.core.$ZodIssue[],
): FastifyReply {
  const part = issues[0]?.path[0];
  if (part === "params" && notFoundDetail !== undefined)
    return sendProblem(reply, "not_found", { detail: notFoundDetail });
  const faults = issues
    .filter(({ path }) => path[0] === part)
    .map(({ code, path: [, ...path], message }) => ({ code, path, message }));
  return sendInvalid(reply, part === "headers" ? faults.map(withHeaderName) : faults);
}

function withHeaderName<Fault extends { readonly path: readonly PropertyKey[] }>(
  fault: Fault,
): Fault {
  const [name = "", ...rest] = fault.path;
  return { ...fault, path: [headerName(String(name)), ...rest] };
}

/** The usual spelling of a header's name: `idempotency-key` → `Idempotency-Key`. */
export function headerName(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/**
 * Refuses query parameters that the operation of a route does not declare, with 422. A misspelt
 * one, such as `?state=` for `?status=`, would otherwise be ignored and everything would be listed.
 */
export function refuseUnknownQueries(scope: FastifyInstance): void {
  scope.addHook("onRequest", (request, reply, done) => {
    if (!request.url.includes("?")) return done();
    const known = request.routeOptions.config.operation?.takes.shape.query?.shape ?? {};
    const unknown = Object.keys(Object(request.query)).filter(
      (name) => !Object.hasOwn(known, name),
    );
    if (unknown.length === 0) return done();
    const errors = unknown.map((path) => ({ path, message: "is not a parameter of this request" }));
    sendProblem(reply, "invalid", { errors });
  });
}

/** A hook that answers 429 to an address over its limit. */
export function rateLimit(limit: Limit) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const retryAfter = await limit(request.ip);
    if (retryAfter !== undefined) return sendTooMany(reply, retryAfter);
  };
}

/** Adds headers to all responses of a scope. */
export function addHeaders(scope: FastifyInstance, headers: OutgoingHttpHeaders): void {
  scope.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
