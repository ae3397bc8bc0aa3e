import { call, send } from "@keepsats/client";
import { createdTokenSchema, type NewToken, paths, tokensSchema, withId } from "@keepsats/protocol";
import { queryOptions } from "@tanstack/react-query";

export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  meta: { topics: ["settings"] },
  queryFn: ({ signal }) => call({ path: paths.admin.tokens, answer: tokensSchema, signal }),
});

export function createToken(body: NewToken) {
  return call({ path: paths.admin.tokens, method: "POST", body, answer: createdTokenSchema });
}

export function revokeToken(id: string) {
  return send({ path: withId(paths.admin.token, id), method: "DELETE" });
}
