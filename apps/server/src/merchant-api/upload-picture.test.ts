import Fastify from "fastify";
import { expect, test } from "vitest";
import type { Kept } from "../pictures/keep-picture.ts";
import { uploadPictureRoute } from "./upload-picture.ts";

test.each<[Kept, number, string]>([
  [{ kind: "busy" }, 503, "Several pictures are being prepared already; try again in a moment."],
  [{ kind: "failed" }, 503, "The picture could not be prepared; try again, or try a smaller one."],
  [{ kind: "refused", words: "Too blue." }, 422, "Too blue."],
])("what has become of an upload is told: %j", async (kept, status, detail) => {
  const app = Fastify();
  uploadPictureRoute(app, async () => kept);
  const headers = { "content-type": "image/png" };
  const url = "/api/merchant/pictures";
  const answer = await app.inject({ method: "POST", url, headers, payload: "bytes" });
  expect(answer.statusCode).toBe(status);
  expect(answer.json()).toMatchObject({ detail });
  expect(answer.headers["retry-after"] !== undefined).toBe(status === 503);
});
