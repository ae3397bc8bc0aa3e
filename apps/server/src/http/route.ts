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
  /** What a request goes through before it is read. */
  readonly onRequest?: onRequestHookHandler[];
}

/**
 * Answers a request that is right: with what goes into the answer's schema, as that decodes it (cents, milliseconds), or
 * with the reply, where it has been sent already.
 */
type Handler<T extends Takes, Answer extends z.core.$ZodType> = (
  taken: z.output<T>,
  reply: FastifyReply,
) => Promise<z.output<Answer> | FastifyReply>;

/**
 * Adds a route by its declaration: checks what it takes, hands the decoded values to the handler, and encodes what that
 * answers. A request that is not right is answered with a problem, and the handler does not see it.
 *
 * @example
 * route(app, { method: "GET", path: paths.merchant.items }, listAllItems, async () => ({ items: await listItems(db) }));
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
      // A reply that the handler returned has been sent by now: it is a thenable of nothing.
      if (reply.sent) return reply;
      return reply.code(status).send(z.encode(schema, answer));
    },
  });
}

function successOf<Answer extends z.core.$ZodType>({ operationId, answers }: Operation<Takes, Answer>) {
  const [first] = Object.entries(answers);
  if (first === undefined) throw new Error(`${operationId} has no answer`);
  return { status: Number(first[0]), schema: first[1] };
}

/** What a request carries, as its route's schemas decode it. For routes that cannot be added by {@link route}. */
export function take<T extends Takes>(operation: Operation<T>, request: FastifyRequest) {
  const { params, query, headers, body } = request;
  return z.safeParse(operation.takes, { params, query, headers, body });
}

/** Answers a request that is not right: of its parts, only the first that is wrong is told of. */
export function refuse(
  reply: FastifyReply,
  { unknown }: Operation,
  issues: readonly z.core.$ZodIssue[],
): FastifyReply {
  const part = issues[0]?.path[0];
  if (part === "params" && unknown !== undefined) return sendProblem(reply, "not_found", { detail: unknown });
  const faults = issues
    .filter(({ path }) => path[0] === part)
    .map(({ code, path: [, ...path], message }) => ({ code, path, message }));
  return sendInvalid(reply, part === "headers" ? faults.map(withHeaderName) : faults);
}

function withHeaderName<Fault extends { readonly path: readonly PropertyKey[] }>(fault: Fault): Fault {
  const [name = "", ...rest] = fault.path;
  return { ...fault, path: [headerName(String(name)), ...rest] };
}

/** The name of a header as it is written: `idempotency-key` → `Idempotency-Key`. */
export function headerName(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
