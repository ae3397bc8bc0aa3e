import {
  createdSignInLinkSchema,
  invitedStaffMemberSchema,
  type NewStaffMember,
  paths,
  staffSchema,
  staffSessionsSchema,
} from "@keepsats/protocol";
import { apiQuery, post } from "../../../lib/api.ts";

export const staffQuery = apiQuery(paths.admin.staff, staffSchema, ["sessions", "settings"]);

export function inviteStaff(body: NewStaffMember) {
  return post(paths.admin.staff, body, invitedStaffMemberSchema);
}

export function createSignInLink(staff_id: string) {
  return post(paths.admin.signInLinks, { staff_id }, createdSignInLinkSchema);
}

/** The sessions of all staff, or only the caller's own, depending on the role. */
export const sessionsQuery = apiQuery(paths.admin.sessions, staffSessionsSchema, ["sessions"]);
