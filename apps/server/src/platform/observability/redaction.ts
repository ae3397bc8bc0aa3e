import type { FastifyBaseLogger } from "fastify";

/** The fields of errors without personal data. */
const safeFields = [
  "code",
  "errno",
  "syscall",
  "table",
  "column",
  "constraint",
  "statusCode",
] as const;

/**
 * A child logger that writes only the type, message, stack and {@link safeFields} of an error.
 * Other fields may contain personal data: PostgreSQL's `detail` has the rejected row, and the HTTP
 * parser's `rawPacket` the whole request.
 */
export function withSafeErrors(log: FastifyBaseLogger): FastifyBaseLogger {
  return log.child({}, { serializers: { err: (error: unknown) => safeError(error) } });
}

function safeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: redact(String(error)) };
  const fields = safeFields.flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === "string" || typeof value === "number" ? [[name, value]] : [];
  });
  return {
    type: error.name,
    message: redact(error.message),
    stack: redact(error.stack ?? ""),
    ...Object.fromEntries(fields),
    ...(error.cause === undefined ? {} : { cause: safeError(error.cause) }),
  };
}

const uuid = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
// Does not match the `/@` of a path in a stack trace, such as `node_modules/@fastify`.
const email = /[^\s"'<>=(),/:]+@[^\s"'<>=(),/:]+/g;
const orderKey = /\bkey=[\w-]+/g;

/** Shortens UUIDs to their first eight digits and replaces email addresses and order keys. */
export function redact(text: string): string {
  return text.replace(uuid, "$1…").replace(orderKey, "key=…").replace(email, "…@…");
}
