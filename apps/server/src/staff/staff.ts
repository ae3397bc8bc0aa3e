import type { DeskLink, NewStaffMember, StaffMember } from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import type { Asker } from "../db/asker.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { hashOf, newSecret } from "./secret.ts";
import {
  deleteStaff,
  findStaffMember,
  insertStaff,
  listStaffRows,
  lockOfStaff,
  nameKey,
} from "./staff-repository.ts";

/** How long a sign-in link works, in milliseconds. */
const LINK_LIFE = 10 * 60_000;
/**
 * The same for staff who have never signed in, because an invitation may wait in an inbox or a
 * chat.
 */
const INVITATION_LIFE = 3 * 24 * 60 * 60_000;
/**
 * The owner whom the shop makes itself: for its first sign-in link, and for links that name nobody.
 */
const FIRST_OWNER = { id: "owner", name: "Owner" };
/** Names that nobody can have: of the token of the settings, and of the {@link FIRST_OWNER}. */
const RESERVED = ["merchant", nameKey(FIRST_OWNER.name)];

/** Who may sign in at the desk. */
export interface Staff {
  list(): Promise<StaffMember[]>;
  /**
   * Adds a member of staff and makes their first link. @returns `undefined` if the name is in use
   */
  invite(
    member: NewStaffMember,
    by: Asker,
  ): Promise<{ member: StaffMember; link: DeskLink } | undefined>;
  /**
   * Makes a sign-in link; earlier ones of the same member open nothing any more. Without `staffId`
   * for the shop's first owner. @returns `undefined` if there is no such member
   */
  newLink(staffId: string | undefined, by: Asker): Promise<DeskLink | undefined>;
  /**
   * Creates a sign-in link for each member of staff with this email address. Earlier links stay
   * valid, because anyone who knows the address can request a link and must not be able to revoke
   * an invitation.
   */
  emailedLinks(
    email: string,
  ): Promise<{ readonly to: string; readonly name: string; readonly link: string }[]>;
  /**
   * Removes a member of staff: their sessions, links and passkeys open nothing any more, in all
   * processes.
   *
   * @returns `undefined` if there is none with this id
   */
  withdraw(id: string): Promise<StaffMember | undefined>;
}

interface Dependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly newId: () => string;
  /** The desk's own origin. */
  readonly deskUrl: string;
}

/** Creates {@link Staff}. */
export function createStaff({ database, bus, newId, deskUrl }: Dependencies): Staff {
  async function replaceLinks(unit: UnitOfWork, staffId: string, life: number): Promise<DeskLink> {
    await unit.db.deleteFrom("sign_in_links").where("staff_id", "=", staffId).execute();
    return addLink(unit, staffId, life);
  }

  async function addLink(unit: UnitOfWork, staffId: string, life: number): Promise<DeskLink> {
    const secret = newSecret();
    const expires_at = database.now() + life;
    await unit.db
      .insertInto("sign_in_links")
      .values({ hash: hashOf(secret), staff_id: staffId, expires_at })
      .execute();
    return { link: `${deskUrl}/sign-in#${secret}`, expires_at };
  }

  return {
    list: () => listStaffRows(database.db),
    invite: ({ name, email = null, role }, by) =>
      database.inTransaction(async (unit) => {
        if (RESERVED.includes(nameKey(name))) return undefined;
        await by.hold(unit);
        const row = {
          id: newId(),
          name,
          email,
          role,
          created_by: by.name,
          created_at: database.now(),
        };
        if (!(await insertStaff(unit, row))) return undefined;
        unit.afterCommit(() => bus.publish({ topic: "sessions" }));
        const link = await replaceLinks(unit, row.id, INVITATION_LIFE);
        return { member: { ...row, signed_in_at: null, passkeys: 0 }, link };
      }),
    newLink: (staffId, by) =>
      database.inTransaction(async (unit) => {
        const id = staffId ?? FIRST_OWNER.id;
        await by.hold(unit, lockOfStaff(id));
        const member = await findStaffMember(unit.db, id);
        if (member === undefined) {
          if (staffId !== undefined) return undefined;
          const made = { email: null, role: "owner", created_by: "merchant" } as const;
          await insertStaff(unit, { ...FIRST_OWNER, ...made, created_at: database.now() });
        }
        const isInvited = staffId !== undefined && member?.signed_in_at === null;
        return replaceLinks(unit, id, isInvited ? INVITATION_LIFE : LINK_LIFE);
      }),
    async emailedLinks(email) {
      const wanted = email.toLowerCase();
      const members = (await listStaffRows(database.db)).filter(
        (one) => one.email?.toLowerCase() === wanted,
      );
      const made = members.map(({ id }) =>
        database.inTransaction(async (unit) => {
          await unit.lock(lockOfStaff(id));
          const member = await findStaffMember(unit.db, id);
          if (member?.email?.toLowerCase() !== wanted) return [];
          const { link } = await addLink(unit, id, LINK_LIFE);
          return [{ to: member.email, name: member.name, link }];
        }),
      );
      return (await Promise.all(made)).flat();
    },
    withdraw: (id) =>
      database.inTransaction(async (unit) => {
        await unit.lock(lockOfStaff(id));
        const member = await findStaffMember(unit.db, id);
        if (member === undefined) return undefined;
        await deleteStaff(unit, id);
        unit.afterCommit(() => bus.publish({ topic: "sessions" }));
        return member;
      }),
  };
}
