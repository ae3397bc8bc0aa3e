import {
  hasPermission,
  paths,
  type StaffSession,
  staffSessionSchema,
  staffSessionsSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation, storedId } from "../../platform/http/operation.ts";
import { del, get, route } from "../../platform/http/route.ts";
import { type Principal, principalOf } from "./principal.ts";
import { endOf, type SessionRow } from "./session-repository.ts";
import type { Sessions } from "./sessions.ts";

const listSessions = {
  operationId: "listSessions",
  summary: "List the open sessions of the admin; staff see their own only",
  permission: "sessions:own",
  takes: noFields,
  answers: { 200: staffSessionsSchema },
} satisfies Operation;

const endSession = {
  operationId: "endSession",
  summary: "End a session; all servers refuse it at once. Staff can end their own only",
  permission: "sessions:own",
  takes: z.object({ params: z.object({ id: storedId }) }),
  notFoundDetail: "No session has this id.",
  answers: { 200: staffSessionSchema },
} satisfies Operation;

/** The member whose sessions a principal may see; `undefined` for all, `""` for none. */
function visibleTo({ role, session }: Principal): string | undefined {
  return hasPermission(role, "sessions:all") ? undefined : (session?.staffId ?? "");
}

function sessionAnswer({ email: _, ...row }: SessionRow, { session }: Principal): StaffSession {
  return { ...row, expires_at: endOf(row), current: row.id === session?.id };
}

export function sessionRoutes(
  app: FastifyInstance,
  sessions: Pick<Sessions, "list" | "end">,
): void {
  route(app, get(paths.admin.sessions), listSessions, async (_input, reply) => {
    const principal = principalOf(reply.request);
    const rows = await sessions.list(visibleTo(principal));
    return { sessions: rows.map((row) => sessionAnswer(row, principal)) };
  });
  route(app, del(paths.admin.session), endSession, async ({ params }, reply) => {
    const principal = principalOf(reply.request);
    const ended = await sessions.end(params.id, visibleTo(principal));
    return ended && sessionAnswer(ended, principal);
  });
}
