import { call, send } from "@keepsats/client";
import { passkeySchema, paths, staffSessionsSchema, withId } from "@keepsats/protocol";
import { queryOptions } from "@tanstack/react-query";

/** The sessions of all staff, or only the caller's own, depending on the role. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  meta: { topics: ["sessions"] },
  queryFn: ({ signal }) =>
    call({ path: paths.admin.sessions, answer: staffSessionsSchema, signal }),
});

export function endSession(id: string) {
  return send({ path: withId(paths.admin.session, id), method: "DELETE" });
}

/** Renames a passkey of the signed-in member of staff. */
export function renamePasskey(id: string, name: string) {
  return call({
    path: withId(paths.auth.passkey, id),
    method: "PATCH",
    body: { name },
    answer: passkeySchema,
  });
}

/** Removes a passkey of the signed-in member of staff. */
export function removePasskey(id: string) {
  return send({ path: withId(paths.auth.passkey, id), method: "DELETE" });
}
