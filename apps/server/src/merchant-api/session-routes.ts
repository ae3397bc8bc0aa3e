import {
  hasPermission,
  paths,
  type StaffSession,
  staffSessionSchema,
  staffSessionsSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import { storedId } from "../http/stored-id.ts";
import type { SessionRow } from "../staff/session-repository.ts";
import { endOf, type Sessions } from "../staff/sessions.ts";
import { merchantOf } from "./actor-of.ts";
import type { Merchant } from "./tokens.ts";

const UNKNOWN = "No session has this id.";

const listSessions = {
  operationId: "listSessions",
  summary: "Who is signed in at the desk; staff see their own sessions only",
  tag: "merchant",
  permission: "sessions:own",
  takes: noFields,
  answers: { 200: staffSessionsSchema },
} satisfies Operation;

const endSession = {
  operationId: "endSession",
  summary:
    "Sign a session out; all servers refuse it at once. Staff can end their own sessions only",
  tag: "merchant",
  permission: "sessions:own",
  takes: z.object({ params: z.object({ id: storedId }) }),
  unknown: UNKNOWN,
  answers: { 200: staffSessionSchema },
} satisfies Operation;

/**
 * Whose sessions a merchant sees: of all staff (`undefined`), or their own. A token of a member of
 * staff has none (`""`).
 */
function seenBy({ role, session }: Merchant): string | undefined {
  return hasPermission(role, "sessions:all") ? undefined : (session?.staffId ?? "");
}

function described({ email: _, ...row }: SessionRow, { session }: Merchant): StaffSession {
  return { ...row, expires_at: endOf(row), current: row.id === session?.id };
}

export function sessionRoutes(
  app: FastifyInstance,
  sessions: Pick<Sessions, "list" | "end">,
): void {
  const path = paths.merchant.sessions;
  route(app, { method: "GET", path }, listSessions, async (_taken, reply) => {
    const merchant = merchantOf(reply.request);
    const rows = await sessions.list(seenBy(merchant));
    return { sessions: rows.map((row) => described(row, merchant)) };
  });
  route(
    app,
    { method: "DELETE", path: paths.merchant.session },
    endSession,
    async ({ params }, reply) => {
      const merchant = merchantOf(reply.request);
      const ended = await sessions.end(params.id, seenBy(merchant));
      return ended === undefined
        ? sendProblem(reply, "not_found", { detail: UNKNOWN })
        : described(ended, merchant);
    },
  );
}
