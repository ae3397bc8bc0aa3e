import { call, send } from "@keepsats/client";
import {
  createdSignInLinkSchema,
  invitedStaffMemberSchema,
  type NewStaffMember,
  passkeysSchema,
  paths,
  staffSchema,
  withId,
} from "@keepsats/protocol";
import { queryOptions } from "@tanstack/react-query";

export const staffQuery = queryOptions({
  queryKey: ["staff"],
  meta: { topics: ["sessions", "settings"] },
  queryFn: ({ signal }) => call({ path: paths.admin.staff, answer: staffSchema, signal }),
});

export function inviteStaff(body: NewStaffMember) {
  return call({ path: paths.admin.staff, method: "POST", body, answer: invitedStaffMemberSchema });
}

export function removeStaff(id: string) {
  return send({ path: withId(paths.admin.staffMember, id), method: "DELETE" });
}

export function createSignInLink(staff_id: string) {
  return call({
    path: paths.admin.signInLinks,
    method: "POST",
    body: { staff_id },
    answer: createdSignInLinkSchema,
  });
}

/** The passkeys of a member of staff. */
export function staffPasskeysQuery(id: string) {
  return queryOptions({
    queryKey: ["staff", id, "passkeys"],
    meta: { topics: ["sessions", "settings"] },
    queryFn: ({ signal }) =>
      call({ path: withId(paths.admin.staffPasskeys, id), answer: passkeysSchema, signal }),
  });
}

export function removeStaffPasskey(id: string) {
  return send({ path: withId(paths.admin.passkey, id), method: "DELETE" });
}
