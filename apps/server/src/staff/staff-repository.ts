import type { StaffMember, TokenRole } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../db/database.ts";

/** A new member of staff. */
export interface NewStaffRow {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: TokenRole;
  readonly created_by: string;
  readonly created_at: number;
}

/** All members of staff, oldest first. */
export async function listStaffRows(db: Queries): Promise<StaffMember[]> {
  const rows = await membersIn(db).orderBy("staff.created_at").orderBy("staff.id").execute();
  return rows.map((row) => ({ ...row, passkeys: Number(row.passkeys) }));
}

/** Finds a member of staff by their id. */
export async function findStaffMember(db: Queries, id: string): Promise<StaffMember | undefined> {
  const row = await membersIn(db).where("staff.id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : { ...row, passkeys: Number(row.passkeys) };
}

function membersIn(db: Queries) {
  return db
    .selectFrom("staff")
    .select(["id", "name", "email", "role", "created_by", "created_at", "signed_in_at"])
    .select((builder) =>
      builder
        .selectFrom("passkeys")
        .whereRef("passkeys.staff_id", "=", "staff.id")
        .select((of) => of.fn.countAll().as("count"))
        .as("passkeys"),
    );
}

/** How the name of a member of staff is compared with others: "ADA" and "ada" are one name. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

/** Stores a member of staff. @returns whether the name was free */
export async function insertStaff(unit: UnitOfWork, member: NewStaffRow): Promise<boolean> {
  const row = await unit.db
    .insertInto("staff")
    .values({ ...member, name_key: nameKey(member.name), signed_in_at: null })
    .onConflict((conflict) => conflict.column("name_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a member of staff with everything that lets them in. */
export async function deleteStaff(unit: UnitOfWork, id: string): Promise<void> {
  for (const table of ["desk_sessions", "sign_in_links", "passkeys", "passkey_challenges"] as const)
    await unit.db.deleteFrom(table).where("staff_id", "=", id).execute();
  await unit.db.deleteFrom("staff").where("id", "=", id).execute();
}

/** The lock of what lets a member of staff in: nobody signs in while they are withdrawn. */
export function lockOfStaff(id: string): string {
  return `staff ${id}`;
}
