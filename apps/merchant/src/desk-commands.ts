import { type Command, command } from "./command.ts";
import {
  endSession,
  inviteStaff,
  listSessions,
  listStaff,
  makeDeskLink,
  withdrawStaff,
} from "./commands/staff.ts";

/** The commands about the desk: who may sign in there, and who is. */
export const deskCommands: readonly Command[] = [
  command({
    name: "desk",
    args: ["[NAME]"],
    options: [],
    summary: "a link that signs you in at the desk, once; or NAME, of your staff",
    example: "",
    run: makeDeskLink,
  }),
  command({
    name: "staff list",
    args: [],
    options: [],
    summary: "who may sign in at the desk",
    example: "",
    run: listStaff,
  }),
  command({
    name: "staff invite",
    args: ["NAME"],
    options: ["role", "email"],
    required: ["role"],
    summary: "adds somebody and prints their first sign-in link; --email mails it too",
    example: "Ada --role staff --email ada@shop.example",
    run: inviteStaff,
  }),
  command({
    name: "staff withdraw",
    args: ["NAME"],
    options: [],
    summary: "signs them out everywhere at once, for good",
    example: "Ada",
    run: withdrawStaff,
  }),
  command({
    name: "sessions list",
    args: [],
    options: [],
    summary: "who is signed in at the desk",
    example: "",
    run: listSessions,
  }),
  command({
    name: "sessions end",
    args: ["ID"],
    options: [],
    summary: "signs one out at once",
    example: "1a2b3c4d",
    run: endSession,
  }),
];
