/** A body was longer than the limit. */
export class BodyTooLong extends Error {
  override readonly name = "BodyTooLong";
  constructor() {
    super("an answer that is too long");
  }
}

/** The next chunk of a body did not arrive before the timeout. */
class BodyStalled extends Error {
  override readonly name = "BodyStalled";
  constructor() {
    super("an answer that does not go on");
  }
}

/**
 * Reads a short body as JSON. The limit counts decompressed bytes: 322 bytes of brotli can be 400
 * MB.
 *
 * @param limit in bytes
 * @throws {BodyTooLong}, or a SyntaxError if the body is not JSON
 */
export async function readJson(response: Response, limit: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limit) throw new BodyTooLong();
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

/**
 * Yields the chunks of a long body as they arrive.
 *
 * @param stalledAfter the timeout for each chunk, in milliseconds
 * @throws {BodyStalled}
 */
export async function* chunksOf(
  response: Response,
  stalledAfter: number,
): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { value, done } = await beforeStalling(reader.read(), stalledAfter);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function beforeStalling<T>(part: Promise<T>, stalledAfter: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BodyStalled()), stalledAfter);
  });
  try {
    return await Promise.race([part, stalled]);
  } finally {
    clearTimeout(timer);
  }
}
