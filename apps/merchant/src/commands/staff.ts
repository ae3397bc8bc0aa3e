import {
  deskLinkSchema,
  invitedStaffMemberSchema,
  paths,
  type StaffMember,
  staffMemberSchema,
  staffSchema,
  staffSessionSchema,
  staffSessionsSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Client } from "../client.ts";
import type { Call } from "../command.ts";
import { CommandFailed, exitCodes } from "../exit.ts";
import { type Column, formatTime, json, printable, shortened, table } from "../output.ts";
import { roleNamed } from "./tokens.ts";

const SHOWN_NAME = 60;
const SHORT_ID = 8;
const once = (expiresAt: number) => `The link works once, until ${formatTime(expiresAt)} UTC.`;

const staffColumns: readonly Column[] = [
  { head: "NAME", fill: true },
  { head: "ROLE" },
  { head: "E-MAIL", most: 30 },
  { head: "PASSKEYS", right: true },
  { head: "LAST SIGNED IN (UTC)" },
];

const sessionColumns: readonly Column[] = [
  { head: "ID" },
  { head: "NAME", most: 30 },
  { head: "ROLE" },
  { head: "SINCE (UTC)" },
  { head: "LAST USED" },
  { head: "BROWSER", fill: true },
];

/**
 * `desk [NAME]`: makes a link that signs in at the desk: an owner, or a member of staff by name or
 * id.
 */
export async function makeDeskLink({ client, output, args: [named] }: Call): Promise<void> {
  const body = named === undefined ? {} : { staff_id: (await memberNamed(client, named)).id };
  const made = await client.call({
    method: "POST",
    path: paths.merchant.deskLinks,
    body,
    answer: deskLinkSchema,
  });
  if (output.json) return output.line(json(z.encode(deskLinkSchema, made)));
  output.line(`${printable(made.link)}\n${once(made.expires_at)}`);
}

/** `staff list`: who may sign in at the desk. */
export async function listStaff({ client, output }: Call): Promise<void> {
  const staff = await readStaff(client);
  if (output.json) return output.line(json(z.encode(staffSchema, { staff }).staff));
  if (staff.length === 0) return output.line('Nobody yet. "desk" makes a link for you.');
  const rows = staff.map(({ name, role, email, passkeys, signed_in_at }) => [
    name,
    role,
    email ?? "",
    String(passkeys),
    signed_in_at === null ? "never" : formatTime(signed_in_at),
  ]);
  output.line(table(staffColumns, rows, output.width).join("\n"));
}

/** `staff invite NAME --role ROLE`: adds a member of staff and prints their first link. */
export async function inviteStaff(call: Call<"role" | "email">): Promise<void> {
  const { client, output, args, options } = call;
  const email = options.email === undefined ? {} : { email: options.email };
  const invited = await client.call({
    method: "POST",
    path: paths.merchant.staff,
    body: { name: args[0], role: roleNamed(options.role), ...email },
    answer: invitedStaffMemberSchema,
  });
  if (output.json) return output.line(json(z.encode(invitedStaffMemberSchema, invited)));
  const mailed = invited.mailed ? " It was mailed too." : "";
  output.line(
    `${printable(invited.link)}\n${once(invited.expires_at)}${mailed} "desk NAME" makes another.`,
  );
}

/** `staff withdraw NAME`: removes a member of staff, who is named by name or id. */
export async function withdrawStaff({ client, output, args: [named = ""] }: Call): Promise<void> {
  const { id } = await memberNamed(client, named);
  const path = withId(paths.merchant.staffMember, id);
  const withdrawn = await client.call({ method: "DELETE", path, answer: staffMemberSchema });
  if (output.json) return output.line(json(z.encode(staffMemberSchema, withdrawn)));
  output.line(`${shortened(withdrawn.name, SHOWN_NAME)} is withdrawn and signed out everywhere.`);
}

/** `sessions list`: who is signed in at the desk. */
export async function listSessions({ client, output }: Call): Promise<void> {
  const answer = await client.call({ path: paths.merchant.sessions, answer: staffSessionsSchema });
  if (output.json) return output.line(json(z.encode(staffSessionsSchema, answer).sessions));
  if (answer.sessions.length === 0) return output.line("Nobody is signed in.");
  const rows = answer.sessions.map(({ id, name, role, created_at, used_at, browser }) => [
    id.slice(0, SHORT_ID),
    name,
    role,
    formatTime(created_at),
    formatTime(used_at),
    browser ?? "",
  ]);
  output.line(table(sessionColumns, rows, output.width).join("\n"));
}

/** `sessions end ID`: ends a session; the beginning of its id is enough if no other has it. */
export async function endSession({ client, output, args: [given = ""] }: Call): Promise<void> {
  const { sessions } = await client.call({
    path: paths.merchant.sessions,
    answer: staffSessionsSchema,
  });
  const [found, another] = sessions.filter(({ id }) => id.startsWith(given));
  if (found === undefined || another !== undefined) {
    const why = found === undefined ? "No session has" : "Several sessions have";
    throw new CommandFailed(
      exitCodes.notFound,
      `${why} an id that begins with ${shortened(given, SHOWN_NAME)}.`,
    );
  }
  const path = withId(paths.merchant.session, found.id);
  const ended = await client.call({ method: "DELETE", path, answer: staffSessionSchema });
  if (output.json) return output.line(json(z.encode(staffSessionSchema, ended)));
  output.line(`The session of ${shortened(ended.name, SHOWN_NAME)} is ended.`);
}

async function memberNamed(client: Client, named: string): Promise<StaffMember> {
  const staff = await readStaff(client);
  const member = staff.find(
    ({ name, id }) => name.toLowerCase() === named.toLowerCase() || id === named,
  );
  if (member !== undefined) return member;
  throw new CommandFailed(
    exitCodes.notFound,
    `Nobody of the staff is named ${shortened(named, SHOWN_NAME)}.`,
  );
}

async function readStaff(client: Client): Promise<StaffMember[]> {
  const { staff } = await client.call({ path: paths.merchant.staff, answer: staffSchema });
  return staff;
}
