import { readAnswer } from "@keepsats/protocol";
import type * as z from "zod/mini";
import { ApiError } from "./api.ts";

/** The timeout of a file, in milliseconds: it may be large, and the connection slow. */
const TIMEOUT = 180_000;

/**
 * Sends a file to the desk's API and decodes the answer.
 *
 * @param type the media type of the content
 * @throws {ApiError} as for `call`
 */
export async function upload<Schema extends z.ZodMiniType>(request: {
  readonly path: string;
  readonly type: string;
  readonly content: Blob | string;
  readonly answer: Schema;
}): Promise<z.output<Schema>> {
  const { path, type, content, answer } = request;
  const name = `POST ${path}`;
  let response: Response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "content-type": type },
      body: content,
      signal: AbortSignal.timeout(TIMEOUT),
    });
  } catch (cause) {
    throw new ApiError(`${name} got no answer`, undefined, { cause });
  }
  const answered = await readAnswer(response, answer);
  switch (answered.kind) {
    case "ok":
      return answered.value;
    case "refused":
      throw new ApiError(`${name} was answered ${answered.status}`, answered);
    case "unexpected":
      throw new ApiError(`${name} was answered in an unexpected format`);
  }
}
