import { paths, testEmailAnswerSchema, testEmailRequestSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";

const operation = {
  operationId: "sendTestEmail",
  summary: "Send a test email, to check that email works",
  description: "It is sent once, at once. 409 if no mail is configured.",
  tag: "merchant",
  permission: "emails:test",
  takes: z.object({ body: testEmailRequestSchema }),
  answers: { 200: testEmailAnswerSchema },
} satisfies Operation;

/** Sends a test email. `answer`: the mail server's response, or why there was none. */
export type SendTestEmail = (
  to: string,
) => Promise<{ readonly isAccepted: boolean; readonly answer: string }>;

interface Options {
  /** `undefined` if no mail is configured. */
  readonly sendTestEmail: SendTestEmail | undefined;
}

export function sendTestEmailRoute(app: FastifyInstance, { sendTestEmail }: Options): void {
  const place = { method: "POST", path: paths.merchant.testEmail } as const;
  route(app, place, operation, async ({ body }, reply) => {
    if (sendTestEmail === undefined)
      return sendProblem(reply, "mail_off", { detail: "SMTP_URL and MAIL_FROM are not set." });
    const { isAccepted: accepted, answer } = await sendTestEmail(body.to);
    return { accepted, answer };
  });
}
