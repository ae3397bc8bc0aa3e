import { expect, test } from "vitest";
import { readJson } from "./http-api.ts";

const tooLong = expect.objectContaining({ name: "BodyTooLong" });

/**
 * A body of these chunks that stays open after them. It notes whether its reader has cancelled it.
 */
function anOpenBody(...chunks: string[]) {
  const state = { isCancelled: false };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
    },
    cancel() {
      state.isCancelled = true;
    },
  });
  return { response: new Response(body), state };
}

test("a body of as many bytes as the limit is read, a longer one is refused", async () => {
  expect(await readJson(new Response('{"a":1}'), 7)).toEqual({ a: 1 });
  await expect(readJson(new Response('{"a":12}'), 7)).rejects.toEqual(tooLong);
});

test("the limit counts all chunks, and a body over it is not read to its end", async () => {
  const { response, state } = anOpenBody("[1,", "2,", "3,", "4");
  await expect(readJson(response, 7)).rejects.toEqual(tooLong);
  expect(state.isCancelled).toBe(true);
});

test("a body that is not JSON, or has no bytes, is refused", async () => {
  await expect(readJson(new Response("<h1>"), 7)).rejects.toThrow(SyntaxError);
  await expect(readJson(new Response(null), 7)).rejects.toThrow(SyntaxError);
});
