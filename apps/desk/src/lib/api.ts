import { ApiError, decodeAnswer, isApiError } from "@keepsats/client";
import type * as z from "zod/mini";

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

/** Why a change was not made: as the shop says it, or as the code that makes the change does. */
export function errorText(error: unknown): string {
  return isApiError(error) || !(error instanceof Error) ? failureText(error) : error.message;
}

/** The API's errors follow the name of their field: `must not be empty`. */
export function errorSentence(message: string): string {
  return /^[a-z]/.test(message) ? `It ${message}.` : message;
}

/** The timeout of a file, in milliseconds: it may be large, and the connection slow. */
const TIMEOUT = 180_000;

/** How much of a file is sent, in bytes. */
export interface Sent {
  readonly sent: number;
  readonly total: number;
}

interface Upload {
  readonly path: string;
  /** The media type of the content. */
  readonly type: string;
  readonly content: Blob | string;
  /**
   * Is called while the file is sent, and once it is sent as a whole; the server may take some time
   * after that.
   */
  readonly onSent?: (sent: Sent) => void;
}

/**
 * Sends a file to the desk's API and decodes the answer.
 *
 * @throws {ApiError} as for `call`
 */
export async function upload<Schema extends z.ZodMiniType>(
  request: Upload & { readonly answer: Schema },
): Promise<z.output<Schema>> {
  const name = `POST ${request.path}`;
  return decodeAnswer(await sent(request, name), request.answer, name);
}

/** `fetch` does not tell how much it has sent. */
function sent({ path, type, content, onSent }: Upload, name: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (event: Event) =>
      reject(new ApiError(`${name} got no answer`, undefined, { cause: event.type }));
    request.onload = () =>
      resolve(
        new Response(request.response, {
          status: request.status,
          headers: { "content-type": request.getResponseHeader("content-type") ?? "" },
        }),
      );
    for (const event of ["error", "abort", "timeout"]) request.addEventListener(event, fail);
    if (onSent !== undefined)
      request.upload.onprogress = ({ loaded, total }) => onSent({ sent: loaded, total });
    request.open("POST", path);
    request.responseType = "arraybuffer";
    request.timeout = TIMEOUT;
    request.setRequestHeader("content-type", type);
    request.send(content);
  });
}
