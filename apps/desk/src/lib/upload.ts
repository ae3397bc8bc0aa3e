import { ApiError, decodeAnswer } from "@keepsats/client";
import type * as z from "zod/mini";

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
