import { paths, testLetterAnswerSchema, testLetterRequestSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";

const operation = {
  operationId: "sendTestLetter",
  summary: "Send a test letter, to see whether mail works",
  description: "It is sent once, at once. 409 if no mail is configured.",
  tag: "merchant",
  permission: "emails:test",
  takes: z.object({ body: testLetterRequestSchema }),
  answers: { 200: testLetterAnswerSchema },
} satisfies Operation;

/** Sends a test letter; `answer` is what the mail server said, or why it could not be asked. */
export type SendTestLetter = (
  to: string,
) => Promise<{ readonly isAccepted: boolean; readonly answer: string }>;

interface Options {
  /** `undefined` if no mail is configured. */
  readonly sendTestLetter: SendTestLetter | undefined;
}

export function sendTestLetterRoute(app: FastifyInstance, { sendTestLetter }: Options): void {
  const place = { method: "POST", path: paths.merchant.testLetter } as const;
  route(app, place, operation, async ({ body }, reply) => {
    if (sendTestLetter === undefined)
      return sendProblem(reply, "mail_off", { detail: "SMTP_URL and MAIL_FROM are not set." });
    const { isAccepted: accepted, answer } = await sendTestLetter(body.to);
    return { accepted, answer };
  });
}
