import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export const requestIdHeader = "x-request-id";

// No "@" and no spaces, because the id is logged: it can be neither an email address nor a name with its surname.
const harmless = /^[\w.:-]{1,128}$/;

/** Returns the id that a client or proxy has given a request; `undefined` if there is none that may be logged. */
export function givenRequestId({ [requestIdHeader]: given }: IncomingHttpHeaders): string | undefined {
  return typeof given === "string" && harmless.test(given) ? given : undefined;
}

/** Returns the given id of a request, or a unique one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  return givenRequestId(headers) ?? randomUUID();
}
