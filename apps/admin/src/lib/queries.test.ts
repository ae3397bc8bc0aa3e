import { ApiError } from "@keepsats/client";
import { expect, test } from "vitest";
import { createQueryClient, draftKeyOf, sessionKey } from "./queries.ts";

/** A client that has loaded orders for a member of staff. */
function readFor(id: string) {
  const client = createQueryClient();
  const signIn = (staffId: string, name = "Ada") =>
    client.setQueryData(sessionKey, { staff: { id: staffId, name } });
  signIn(id);
  client.setQueryData(["orders"], "the customers of the shop");
  return { client, signIn, kept: () => client.getQueryData(["orders"]) };
}

test("loaded data is removed when the session ends, and when a request is refused with 401", async () => {
  const ended = readFor("ada");
  ended.client.setQueryData(sessionKey, null);
  expect(ended.kept()).toBeUndefined();
  const refused = readFor("ada");
  const queryFn = () => Promise.reject(new ApiError("x", { status: 401, problem: undefined }));
  await expect(
    refused.client.fetchQuery({ queryKey: ["items"], queryFn, retry: false }),
  ).rejects.toThrow();
  expect(refused.kept()).toBeUndefined();
  expect(refused.client.getQueryData(sessionKey)).toBeNull();
});

test("loaded data is removed when another member of staff signs in, and kept for the same one", () => {
  const { signIn, kept } = readFor("ada");
  signIn("ada", "Ada L.");
  expect(kept()).toBeDefined();
  signIn("bob");
  expect(kept()).toBeUndefined();
});

test("unsaved input is kept for its author when their session ends", () => {
  const { client, kept } = readFor("ada");
  client.setQueryData(draftKeyOf("ada", ["settings-draft"]), "typed");
  client.setQueryData(sessionKey, null);
  expect(kept()).toBeUndefined();
  expect(client.getQueryData(draftKeyOf("ada", ["settings-draft"]))).toBe("typed");
  expect(client.getQueryData(draftKeyOf("bob", ["settings-draft"]))).toBeUndefined();
});
