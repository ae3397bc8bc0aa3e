import {
  deskLinkSchema,
  invitedStaffMemberSchema,
  newDeskLinkSchema,
  newStaffMemberSchema,
  paths,
  staffMemberSchema,
  staffSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import { storedId } from "../http/stored-id.ts";
import type { Staff } from "../staff/staff.ts";
import { askerOf } from "./let-in.ts";

const UNKNOWN = "No member of staff has this id.";

const listStaff = {
  operationId: "listStaff",
  summary: "Everybody who may sign in at the desk",
  tag: "merchant",
  permission: "staff:manage",
  takes: noFields,
  answers: { 200: staffSchema },
} satisfies Operation;

const inviteStaff = {
  operationId: "inviteStaff",
  summary: "Add a member of staff; the answer has their first sign-in link",
  description:
    "With `email` the link is mailed to them too, if the shop sends mail. 409 if the shop has no desk.",
  tag: "merchant",
  permission: "staff:manage",
  takes: z.object({ body: newStaffMemberSchema }),
  answers: { 201: invitedStaffMemberSchema },
} satisfies Operation;

const withdrawStaff = {
  operationId: "withdrawStaff",
  summary: "Remove a member of staff; all servers refuse their sessions at once",
  tag: "merchant",
  permission: "staff:manage",
  takes: z.object({ params: z.object({ id: storedId }) }),
  unknown: UNKNOWN,
  answers: { 200: staffMemberSchema },
} satisfies Operation;

const createDeskLink = {
  operationId: "createDeskLink",
  summary:
    "Make a one-time sign-in link. It expires after ten minutes, or after three days for a member who never signed in",
  description: "409 if the shop has no desk.",
  tag: "merchant",
  permission: "staff:manage",
  takes: z.object({ body: newDeskLinkSchema }),
  answers: { 201: deskLinkSchema },
} satisfies Operation;

/** Mails a sign-in link to a new member of staff. @returns whether the mail server took it */
export type SendInvitation = (
  to: string,
  invitation: { name: string; link: string },
) => Promise<boolean>;

interface Options {
  readonly staff: Staff;
  readonly hasDesk: boolean;
  readonly sendInvitation: SendInvitation | undefined;
}

export function staffRoutes(
  app: FastifyInstance,
  { staff, hasDesk, sendInvitation }: Options,
): void {
  const path = paths.merchant.staff;
  const refuseDesk = (reply: FastifyReply) =>
    sendProblem(reply, "desk_off", { detail: "DESK_PORT is not set." });

  route(app, { method: "GET", path }, listStaff, async () => ({ staff: await staff.list() }));
  route(app, { method: "POST", path }, inviteStaff, async ({ body }, reply) => {
    if (!hasDesk) return refuseDesk(reply);
    const invited = await staff.invite(body, askerOf(reply.request));
    if (invited === undefined)
      return sendProblem(reply, "name_taken", { detail: `The name "${body.name}" is in use.` });
    const { member, link } = invited;
    const { email, name } = member;
    const mailed =
      email !== null && (await sendInvitation?.(email, { name, link: link.link })) === true;
    return { ...member, ...link, mailed };
  });
  route(
    app,
    { method: "DELETE", path: paths.merchant.staffMember },
    withdrawStaff,
    async ({ params }, reply) => {
      const withdrawn = await staff.withdraw(params.id);
      return withdrawn ?? sendProblem(reply, "not_found", { detail: UNKNOWN });
    },
  );
  route(
    app,
    { method: "POST", path: paths.merchant.deskLinks },
    createDeskLink,
    async ({ body }, reply) => {
      if (!hasDesk) return refuseDesk(reply);
      const link = await staff.newLink(body.staff_id, askerOf(reply.request));
      return link ?? sendProblem(reply, "not_found", { detail: UNKNOWN });
    },
  );
}
