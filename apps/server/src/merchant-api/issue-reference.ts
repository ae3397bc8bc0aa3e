import type { PaymentIssueDetail } from "@keepsats/protocol";
import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import { sendProblem } from "../http/problems.ts";
import { storedId } from "../http/stored-id.ts";
import type { StoredIssue } from "../payments/index.ts";
import { readAccountOfIssue } from "./issue-accounts.ts";
import { issueDetailAnswer } from "./issue-answer.ts";

/** What a request about an id that no payment issue has is answered. */
export const UNKNOWN_ISSUE = "No payment issue has this id.";

/** The parameters of a route about one payment issue. */
export const issueParams = z.object({ id: storedId });

export function sendUnknownIssue(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, "not_found", { detail: UNKNOWN_ISSUE });
}

/** The answer about one payment issue, with the ledger of its account. */
export async function answerIssue(
  reply: FastifyReply,
  db: Queries,
  issue: StoredIssue | undefined,
): Promise<PaymentIssueDetail | FastifyReply> {
  if (issue === undefined) return sendUnknownIssue(reply);
  const answer = issueDetailAnswer(issue, await readAccountOfIssue(db, issue));
  return answer ?? sendUnknownIssue(reply);
}
