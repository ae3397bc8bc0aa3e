import { passkeySchema, passkeysSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import { storedId } from "../http/stored-id.ts";
import type { Passkeys } from "../staff/passkeys.ts";

const UNKNOWN = "No passkey has this id.";

const listStaffPasskeys = {
  operationId: "listStaffPasskeys",
  summary: "The passkeys of a member of staff; none if there is no such member",
  tag: "merchant",
  permission: "staff:manage",
  takes: z.object({ params: z.object({ id: storedId }) }),
  unknown: "No member of staff has this id.",
  answers: { 200: passkeysSchema },
} satisfies Operation;

const removeStaffPasskey = {
  operationId: "removeStaffPasskey",
  summary: "Remove a passkey of anybody, such as of a lost laptop",
  description:
    "Nobody signs in with it any more. Sessions that were opened with it go on until they are ended.",
  tag: "merchant",
  permission: "staff:manage",
  takes: z.object({ params: z.object({ id: storedId }) }),
  unknown: UNKNOWN,
  answers: { 200: passkeySchema },
} satisfies Operation;

/** The passkeys of all staff, for owners. One's own are changed at the desk's own routes. */
export function staffPasskeyRoutes(
  app: FastifyInstance,
  passkeys: Pick<Passkeys, "list" | "remove">,
): void {
  const { staffPasskeys, passkey } = paths.merchant;
  route(app, { method: "GET", path: staffPasskeys }, listStaffPasskeys, async ({ params }) => ({
    passkeys: await passkeys.list(params.id),
  }));
  route(app, { method: "DELETE", path: passkey }, removeStaffPasskey, async ({ params }, reply) => {
    const removed = await passkeys.remove(params.id);
    return removed ?? sendProblem(reply, "not_found", { detail: UNKNOWN });
  });
}
