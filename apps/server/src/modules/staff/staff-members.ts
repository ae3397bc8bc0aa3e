import {
  type CreatedSignInLink,
  createdSignInLinkSchema,
  invitedStaffMemberSchema,
  type NewStaffMember,
  newStaffMemberSchema,
  paths,
  type StaffMember,
  signInLinkRequestSchema,
  staffMemberSchema,
  staffSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries, UnitOfWork } from "../../platform/database/database.ts";
import { noFields, type Operation, storedId } from "../../platform/http/operation.ts";
import { del, get, post, route } from "../../platform/http/route.ts";
import type { Platform } from "../../platform/platform.ts";
import { Refusal } from "../../platform/refusal.ts";
import { DAY, MINUTE } from "../../platform/scheduling/clock.ts";
import { newSecret, sha256Text } from "../../platform/secrets.ts";
import { callerOf } from "./authorize.ts";
import { ADMIN_TOKEN_NAME, type Caller, lockOfStaff } from "./principal.ts";
import { roleColumns, storedRole } from "./restricted-role.ts";

/** The lifetime of a sign-in link, in milliseconds. */
const LINK_LIFETIME = 10 * MINUTE;
/** The same for a member who has never signed in: an invitation may wait in an inbox or a chat. */
const INVITATION_LIFETIME = 3 * DAY;
/**
 * The owner whom the server creates itself: for the first sign-in link, and links for no member.
 */
const FIRST_OWNER = { id: "owner", name: "Owner" };
const RESERVED = [ADMIN_TOKEN_NAME, nameKey(FIRST_OWNER.name)];

/** A one-time sign-in link for the member of staff with this name. */
export interface SignInLink {
  readonly name: string;
  readonly link: string;
}

/** The emails of this module. */
export interface StaffEmails {
  /** Whether the shop sends email. */
  readonly sendsEmail: () => boolean;
  /** Resolves to whether the mail server accepted the email. */
  readonly sendInvitation: (to: string, invited: SignInLink) => Promise<boolean>;
  readonly sendSignInEmail: (to: string, member: SignInLink) => Promise<void>;
}

export type StaffMembers = ReturnType<typeof createStaffMembers>;

/**
 * The members of staff, who may sign in to the admin.
 *
 * @param adminUrl the origin of the admin
 */
export function createStaffMembers(
  { database, bus, newId }: Pick<Platform, "database" | "bus" | "newId">,
  adminUrl: string,
) {
  async function addLink(
    unit: UnitOfWork,
    staffId: string,
    lifetime: number,
  ): Promise<CreatedSignInLink> {
    const secret = newSecret();
    const expires_at = database.now() + lifetime;
    await unit.db
      .insertInto("sign_in_links")
      .values({ hash: sha256Text(secret), staff_id: staffId, expires_at })
      .execute();
    return { link: `${adminUrl}/sign-in#${secret}`, expires_at };
  }

  return {
    list: () => listMembers(database.db),

    /**
     * Adds a member of staff and creates their first link. Returns `undefined` if the name is in
     * use.
     */
    invite: ({ name, email, role }: NewStaffMember, by: Caller) =>
      database.inTransaction(async (unit) => {
        if (RESERVED.includes(nameKey(name))) return undefined;
        await by.authorize(unit);
        const row = {
          id: newId(),
          name,
          email: email ?? null,
          role,
          created_by: by.name,
          created_at: database.now(),
        };
        if (!(await insertMember(unit, row))) return undefined;
        unit.afterCommit(() => bus.publish({ topic: "sessions" }));
        const link = await addLink(unit, row.id, INVITATION_LIFETIME);
        return { member: { ...row, signed_in_at: null, passkeys: 0 }, link };
      }),

    /**
     * Creates a sign-in link and revokes the member's earlier ones. Without `staffId` the link is
     * for the first owner, who is created if needed. Returns `undefined` if the id is unknown.
     */
    newLink: (staffId: string | undefined, by: Caller) =>
      database.inTransaction(async (unit) => {
        const id = staffId ?? FIRST_OWNER.id;
        await by.authorize(unit, lockOfStaff(id));
        const [member] = await listMembers(unit.db, id);
        if (member === undefined) {
          if (staffId !== undefined) return undefined;
          const made = { email: null, role: "owner", created_by: ADMIN_TOKEN_NAME } as const;
          await insertMember(unit, { ...FIRST_OWNER, ...made, created_at: database.now() });
        }
        const isInvited = staffId !== undefined && member?.signed_in_at === null;
        await unit.db.deleteFrom("sign_in_links").where("staff_id", "=", id).execute();
        return addLink(unit, id, isInvited ? INVITATION_LIFETIME : LINK_LIFETIME);
      }),

    /**
     * Creates a sign-in link for each member of staff with this email address. Earlier links stay
     * valid, because anyone who knows the address can request a link and must not be able to revoke
     * an invitation.
     */
    async emailedLinks(email: string) {
      const wanted = email.toLowerCase();
      const members = (await listMembers(database.db)).filter(
        (one) => one.email?.toLowerCase() === wanted,
      );
      const made = members.map(({ id }) =>
        database.inTransaction(async (unit) => {
          await unit.lock(lockOfStaff(id));
          const [member] = await listMembers(unit.db, id);
          if (member?.email?.toLowerCase() !== wanted) return [];
          const { link } = await addLink(unit, id, LINK_LIFETIME);
          return [{ to: member.email, name: member.name, link }];
        }),
      );
      return (await Promise.all(made)).flat();
    },

    /**
     * Removes a member of staff with their sessions, links and passkeys. Returns `undefined` if the
     * id is unknown.
     */
    remove: (id: string) =>
      database.inTransaction(async (unit) => {
        await unit.lock(lockOfStaff(id));
        const [member] = await listMembers(unit.db, id);
        if (member === undefined) return undefined;
        for (const table of ["staff_sessions", "sign_in_links", "passkeys"] as const)
          await unit.db.deleteFrom(table).where("staff_id", "=", id).execute();
        await unit.db.deleteFrom("staff").where("id", "=", id).execute();
        unit.afterCommit(() => bus.publish({ topic: "sessions" }));
        return member;
      }),
  };
}

/** All members of staff, oldest first; with `id` only that one. */
async function listMembers(db: Queries, id?: string): Promise<StaffMember[]> {
  const all = db
    .selectFrom("staff")
    .select(["id", "name", "email", "created_by", "created_at", "signed_in_at"])
    .select(storedRole)
    .select((builder) =>
      builder
        .selectFrom("passkeys")
        .whereRef("passkeys.staff_id", "=", "staff.id")
        .select((of) => of.fn.countAll().as("count"))
        .as("passkeys"),
    )
    .orderBy("staff.created_at")
    .orderBy("staff.id");
  const rows = await (id === undefined ? all : all.where("staff.id", "=", id)).execute();
  return rows.map((row) => ({ ...row, passkeys: Number(row.passkeys) }));
}

/** Names are unique without regard to case: "ADA" and "ada" are one name. */
function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

/** @returns whether the name was free */
async function insertMember(
  unit: UnitOfWork,
  member: Omit<StaffMember, "signed_in_at" | "passkeys">,
): Promise<boolean> {
  const row = await unit.db
    .insertInto("staff")
    .values({
      ...member,
      ...roleColumns(member.role),
      name_key: nameKey(member.name),
      signed_in_at: null,
    })
    .onConflict((conflict) => conflict.column("name_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

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
