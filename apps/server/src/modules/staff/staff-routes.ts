import {
  createdSignInLinkSchema,
  invitedStaffMemberSchema,
  newStaffMemberSchema,
  paths,
  signInLinkRequestSchema,
  staffMemberSchema,
  staffSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation, storedId } from "../../platform/http/operation.ts";
import { del, get, post, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { callerOf } from "./authorize.ts";
import type { StaffEmails } from "./sign-in-emails.ts";
import type { StaffMembers } from "./staff-members.ts";

const UNKNOWN_MEMBER = "No member of staff has this id.";

const listStaff = {
  operationId: "listStaff",
  summary: "List the members of staff, who may sign in to the admin",
  permission: "staff:manage",
  takes: noFields,
  answers: { 200: staffSchema },
} satisfies Operation;

const inviteStaff = {
  operationId: "inviteStaff",
  summary: "Invite a member of staff; the answer has their first sign-in link",
  description:
    "With `email` the link is emailed to them too, if the shop sends email. 409 if the shop has no admin.",
  permission: "staff:manage",
  takes: z.object({ body: newStaffMemberSchema }),
  answers: { 201: invitedStaffMemberSchema },
} satisfies Operation;

const removeStaff = {
  operationId: "revokeStaff",
  summary: "Remove a member of staff; all servers refuse their sessions at once",
  permission: "staff:manage",
  takes: z.object({ params: z.object({ id: storedId }) }),
  notFoundDetail: UNKNOWN_MEMBER,
  answers: { 200: staffMemberSchema },
} satisfies Operation;

const createSignInLink = {
  operationId: "createSignInLink",
  summary:
    "Create a one-time sign-in link. It expires after ten minutes, or after three days for a member who never signed in",
  description: "409 if the shop has no admin.",
  permission: "staff:manage",
  takes: z.object({ body: signInLinkRequestSchema }),
  notFoundDetail: UNKNOWN_MEMBER,
  answers: { 201: createdSignInLinkSchema },
} satisfies Operation;

const withoutAdmin = new Refusal("admin_off", { detail: "ADMIN_PORT is not set." });

interface Options {
  readonly staff: StaffMembers;
  readonly hasAdmin: boolean;
  readonly sendInvitation: StaffEmails["sendInvitation"];
}

export function staffRoutes(
  app: FastifyInstance,
  { staff, hasAdmin, sendInvitation }: Options,
): void {
  route(app, get(paths.admin.staff), listStaff, async () => ({ staff: await staff.list() }));
  route(app, post(paths.admin.staff), inviteStaff, async ({ body }, reply) => {
    if (!hasAdmin) return withoutAdmin;
    const invited = await staff.invite(body, callerOf(reply.request));
    if (invited === undefined)
      return new Refusal("name_taken", { detail: `The name "${body.name}" is in use.` });
    const { member, link } = invited;
    const { email, name } = member;
    const emailed = email !== null && (await sendInvitation(email, { name, link: link.link }));
    return { ...member, ...link, emailed };
  });
  route(app, del(paths.admin.staffMember), removeStaff, ({ params }) => staff.remove(params.id));
  route(app, post(paths.admin.signInLinks), createSignInLink, async ({ body }, reply) =>
    hasAdmin ? staff.newLink(body.staff_id, callerOf(reply.request)) : withoutAdmin,
  );
}
