import {
  createdSignInLinkSchema,
  invitedStaffMemberSchema,
  newStaffMemberSchema,
  paths,
  signInLinkRequestSchema,
  staffMemberSchema,
  staffSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation, storedId } from "../../platform/http/operation.ts";
import { sendProblem } from "../../platform/http/problems.ts";
import { route } from "../../platform/http/route.ts";
import { callerOf } from "./authorize.ts";
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
  answers: { 201: createdSignInLinkSchema },
} satisfies Operation;

/** Emails a sign-in link to a new member of staff. Returns whether the mail server accepted it. */
export type SendInvitation = (
  to: string,
  invitation: { readonly name: string; readonly link: string },
) => Promise<boolean>;

interface Options {
  readonly staff: StaffMembers;
  readonly hasAdmin: boolean;
  readonly sendInvitation: SendInvitation;
}

export function staffRoutes(
  app: FastifyInstance,
  { staff, hasAdmin, sendInvitation }: Options,
): void {
  const path = paths.admin.staff;
  const refuseWithoutAdmin = (reply: FastifyReply) =>
    sendProblem(reply, "admin_off", { detail: "ADMIN_PORT is not set." });

  route(app, { method: "GET", path }, listStaff, async () => ({ staff: await staff.list() }));
  route(app, { method: "POST", path }, inviteStaff, async ({ body }, reply) => {
    if (!hasAdmin) return refuseWithoutAdmin(reply);
    const invited = await staff.invite(body, callerOf(reply.request));
    if (invited === undefined)
      return sendProblem(reply, "name_taken", { detail: `The name "${body.name}" is in use.` });
    const { member, link } = invited;
    const { email, name } = member;
    const emailed = email !== null && (await sendInvitation(email, { name, link: link.link }));
    return { ...member, ...link, emailed };
  });
  route(
    app,
    { method: "DELETE", path: paths.admin.staffMember },
    removeStaff,
    async ({ params }, reply) => {
      const removed = await staff.remove(params.id);
      return removed ?? sendProblem(reply, "not_found", { detail: UNKNOWN_MEMBER });
    },
  );
  route(
    app,
    { method: "POST", path: paths.admin.signInLinks },
    createSignInLink,
    async ({ body }, reply) => {
      if (!hasAdmin) return refuseWithoutAdmin(reply);
      const link = await staff.newLink(body.staff_id, callerOf(reply.request));
      return link ?? sendProblem(reply, "not_found", { detail: UNKNOWN_MEMBER });
    },
  );
}
