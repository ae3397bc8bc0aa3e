import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export const requestIdHeader = "x-request-id";

// No "@" and no spaces: the id is logged, so it must not be an email address or a full name.
const loggable = /^[\w.:-]{1,128}$/;

/** The request's `X-Request-Id`; `undefined` if it has none that may be logged. */
export function givenRequestId({
  [requestIdHeader]: given,
}: IncomingHttpHeaders): string | undefined {
  return typeof given === "string" && loggable.test(given) ? given : undefined;
}

export function requestIdOf(headers: IncomingHttpHeaders): string {
  return givenRequestId(headers) ?? randomUUID();
}
