import { ApiError } from "@keepsats/client";
import { expect, test } from "vitest";
import { createQueryClient, draftKeyOf, sessionKey } from "./queries.ts";

/** A client that has read orders for a member of staff. */
function readFor(id: string) {
  const client = createQueryClient();
  const signIn = (staffId: string, name = "Ada") =>
    client.setQueryData(sessionKey, { staff: { id: staffId, name } });
  signIn(id);
  client.setQueryData(["orders"], "the customers of the shop");
  return { client, signIn, kept: () => client.getQueryData(["orders"]) };
}

test("what was read for somebody is forgotten when their session ends, however that is learned", async () => {
  const told = readFor("ada");
  told.client.setQueryData(sessionKey, null);
  expect(told.kept()).toBeUndefined();
  const refused = readFor("ada");
  const queryFn = () => Promise.reject(new ApiError("x", { status: 401, problem: undefined }));
  await expect(
    refused.client.fetchQuery({ queryKey: ["items"], queryFn, retry: false }),
  ).rejects.toThrow();
  expect(refused.kept()).toBeUndefined();
  expect(refused.client.getQueryData(sessionKey)).toBeNull();
});

test("what was read for somebody is forgotten when somebody else signs in, and kept while they stay", () => {
  const { signIn, kept } = readFor("ada");
  signIn("ada", "Ada L.");
  expect(kept()).toBeDefined();
  signIn("bob");
  expect(kept()).toBeUndefined();
});

test("a draft stays for the person who has typed it when their session ends", () => {
  const { client, kept } = readFor("ada");
  client.setQueryData(draftKeyOf("ada", ["settings-draft"]), "typed");
  client.setQueryData(sessionKey, null);
  expect(kept()).toBeUndefined();
  expect(client.getQueryData(draftKeyOf("ada", ["settings-draft"]))).toBe("typed");
  expect(client.getQueryData(draftKeyOf("bob", ["settings-draft"]))).toBeUndefined();
});
