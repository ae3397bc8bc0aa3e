import { call, isApiError } from "@keepsats/client";
import type { AdminTopic } from "@keepsats/protocol";
import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod/mini";

/** The query of a path of the API. It is refetched when one of its topics changes. */
export function apiQuery<Schema extends z.ZodMiniType>(
  path: string,
  answer: Schema,
  topics: readonly AdminTopic[],
) {
  return queryOptions({
    queryKey: [path],
    meta: { topics },
    queryFn: ({ signal }) => call({ path, answer, signal }),
  });
}

/**
 * Posts a body, already encoded, and decodes the answer.
 *
 * @param idempotencyKey reused by each attempt, so that the server makes the change once
 * @throws {ApiError} as `call` does
 */
export function post<Schema extends z.ZodMiniType>(
  path: string,
  body: unknown,
  answer: Schema,
  idempotencyKey?: string,
) {
  return call({ path, method: "POST", body, answer, idempotencyKey });
}

export function isSignedOut(error: unknown): boolean {
  return isApiError(error) && error.status === 401;
}

/** The labels of fields by their names. */
export type FieldLabels = ReadonlyMap<string, string>;

/**
 * Why a change was not made, for staff: by the API, or an error's own message. Without an answer
 * the change may be stored.
 */
export function errorText(error: unknown, labels: FieldLabels = new Map()): string {
  if (error instanceof Error && !isApiError(error)) return error.message;
  if (!isApiError(error) || error.status === undefined)
    return "The shop could not be reached. Check whether the change was made before you try again.";
  const { problem } = error;
  const fields = problem?.errors
    ?.map(({ path, message }) => `${labels.get(path) ?? path} ${message}`)
    .join("; ");
  if (fields) return fields.endsWith(".") ? fields : `${fields}.`;
  return problem?.detail || problem?.title || `The shop answered with status ${error.status}.`;
}

/** Why data could not be loaded, for staff. */
export function loadErrorText(error: unknown): string {
  const isAway = !isApiError(error) || error.status === undefined;
  return isAway ? "The shop could not be reached. Try again in a moment." : errorText(error);
}

/**
 * The error of a field as a sentence. The API's messages continue the field's name: `must not be
 * empty`.
 */
export function fieldErrorText(message: string): string {
  return /^[a-z]/.test(message) ? `It ${message}.` : message;
}

/** In milliseconds. Files may be large and connections slow. */
const UPLOAD_TIMEOUT = 180_000;

/**
 * Sends a file and decodes the answer.
 *
 * @throws {ApiError} as `call` does
 */
export function upload<Schema extends z.ZodMiniType>(
  path: string,
  type: string,
  content: Blob | string,
  answer: Schema,
) {
  return call({ path, method: "POST", type, body: content, answer, timeout: UPLOAD_TIMEOUT });
}
