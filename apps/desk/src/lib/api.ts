import { ApiError, answerOf, isApiError } from "@keepsats/protocol";
import * as z from "zod/mini";

export { ApiError, isApiError };

/** Whether an error says that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return isApiError(error) && error.status === 401;
}

/** Whether an error says that the shop has refused a request, so that nothing of it is stored. */
export function isRefused(error: unknown): boolean {
  return (
    isApiError(error) && error.status !== undefined && error.status >= 400 && error.status < 500
  );
}

/** What an error says in one sentence for staff. */
export function failureText(error: unknown): string {
  if (!isApiError(error) || error.status === undefined)
    return "The shop could not be reached. Nothing was changed that you do not see here.";
  const { problem } = error;
  const fields = problem?.errors?.map(({ path, message }) => `${path} ${message}`).join("; ");
  return fields || problem?.detail || problem?.title || `The shop answered ${error.status}.`;
}

/** What an error says in one sentence where something was only read. */
export function readFailureText(error: unknown): string {
  const isAway = !isApiError(error) || error.status === undefined;
  return isAway ? "The shop could not be reached. Try again in a moment." : failureText(error);
}

interface Call {
  readonly path: string;
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Sent as JSON, encode it with its codec first; a file is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const noAnswer = z.unknown();
/** The timeout of a call, in milliseconds. */
const TIMEOUT = 20_000;

/**
 * Calls the desk's API and decodes the answer.
 *
 * @throws {ApiError} when the server cannot be reached, answers with an error, or its answer does
 *   not match the schema
 */
export async function call<Schema extends z.ZodMiniType>(
  request: Call & { readonly answer: Schema },
): Promise<z.output<Schema>> {
  return answerOf(await fetched(request), request.answer, nameOf(request));
}

/**
 * Like {@link call}, for a request whose answer has no body.
 *
 * @throws {ApiError} as for {@link call}
 */
export async function send(request: Call): Promise<void> {
  const response = await fetched(request);
  if (response.ok) return;
  await answerOf(response, noAnswer, nameOf(request));
}

async function fetched(request: Call): Promise<Response> {
  const { path, method = "GET", body, headers, signal } = request;
  const timeout = AbortSignal.timeout(TIMEOUT);
  try {
    return await fetch(path, {
      method,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...contentOf(body, headers),
    });
  } catch (cause) {
    throw new ApiError(`${nameOf(request)} got no answer`, undefined, { cause });
  }
}

function contentOf(body: unknown, headers: Call["headers"]): Pick<RequestInit, "headers" | "body"> {
  if (body === undefined) return { headers: { ...headers } };
  if (body instanceof Blob)
    return { headers: { "content-type": "application/octet-stream", ...headers }, body };
  return {
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

function nameOf({ method = "GET", path }: Call): string {
  return `${method} ${path}`;
}
