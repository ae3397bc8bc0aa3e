import type { FastifyBaseLogger } from "fastify";

/** The fields of an error that say what went wrong and nothing of whom it went wrong for. */
const safeFields = ["code", "errno", "syscall", "table", "column", "constraint", "statusCode"] as const;

/**
 * A log that writes of an error only its kind, message, stack and {@link safeFields}. Drivers put more into their errors:
 * PostgreSQL's `detail` has the whole row that was refused, with name and address, and a parser's `rawPacket` the request.
 */
export function withSafeErrors(log: FastifyBaseLogger): FastifyBaseLogger {
  return log.child({}, { serializers: { err: (error: unknown) => safeError(error) } });
}

function safeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutPeople(String(error)) };
  const fields = safeFields.flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === "string" || typeof value === "number" ? [[name, value]] : [];
  });
  return {
    type: error.name,
    message: withoutPeople(error.message),
    stack: withoutPeople(error.stack ?? ""),
    ...Object.fromEntries(fields),
    ...(error.cause === undefined ? {} : { cause: safeError(error.cause) }),
  };
}

const uuid = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
// Not the `/@` of a path in a stack.
const email = /[^\s"'<>=(),/:]+@[^\s"'<>=(),/:]+/g;
const orderKey = /\bkey=[\w-]+/g;

/** Shortens ids to what is shown of them elsewhere, and takes out e-mail addresses and keys of orders. */
function withoutPeople(text: string): string {
  return text.replace(uuid, "$1…").replace(orderKey, "key=…").replace(email, "…@…");
}
