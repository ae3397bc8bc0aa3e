import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestHookHandler,
} from "fastify";
import * as z from "zod/mini";
import type { Operation, Takes } from "./operation.ts";
import { sendInvalid, sendProblem } from "./problems.ts";

interface Place {
  readonly method: HTTPMethods;
  readonly path: string;
  /** The hooks that run before a request is checked. */
  readonly onRequest?: onRequestHookHandler[];
}

/**
 * Handles a valid request. It returns the body in its decoded form (cents, milliseconds), or the
 * reply if it has been sent already.
 */
type Handler<T extends Takes, Answer extends z.core.$ZodType> = (
  taken: z.output<T>,
  reply: FastifyReply,
) => Promise<z.output<Answer> | FastifyReply>;

/**
 * Adds a route by its declaration: checks and decodes the request, calls the handler, and encodes
 * its answer. An invalid request is answered with a problem without calling the handler.
 *
 * @example route(app, { method: "GET", path: paths.merchant.items }, listAllItems, async () => ({
 *   items: await listItems(db) }));
 */
export function route<T extends Takes, Answer extends z.core.$ZodType>(
  app: FastifyInstance,
  { method, path: url, onRequest = [] }: Place,
  operation: Operation<T, Answer>,
  handler: Handler<T, Answer>,
): void {
  const { status, schema } = successOf(operation);
  app.route({
    method,
    url,
    onRequest,
    config: { operation },
    async handler(request, reply) {
      const taken = take(operation, request);
      if (!taken.success) return refuse(reply, operation, taken.error.issues);
      const answer = await handler(taken.data, reply);
      // A reply that the handler returned has been sent by now, so awaiting it gives `undefined`.
      if (reply.sent || answer === undefined) return reply;
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

/** Checks and decodes a request. For routes that cannot be added by {@link route}. */
export function take<T extends Takes>(operation: Operation<T>, request: FastifyRequest) {
  const { params, query, headers, body } = request;
  return z.safeParse(operation.takes, { params, query, headers, body });
}

/** Answers an invalid request with the errors of its first invalid part. */
export function refuse(
  reply: FastifyReply,
  { unknown }: Operation,
  issues: readonly z.core.$ZodIssue[],
): FastifyReply {
  const part = issues[0]?.path[0];
  if (part === "params" && unknown !== undefined)
    return sendProblem(reply, "not_found", { detail: unknown });
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
