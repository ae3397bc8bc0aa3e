import { setTimeout as pause } from "node:timers/promises";
import { domainToUnicode } from "node:url";
import { recipientOf } from "@keepsats/domain";
import type { MailServerConfig } from "../../config/mail-config.ts";
import { reasonOf } from "../../platform/errors.ts";
import type { AttemptResult } from "../../platform/outbox/channel.ts";
import type { Attachment } from "./email-pictures.ts";

/** An email as it is sent. */
export interface Message {
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string;
  /** One plain address. A text that could be read as several, or as a header, is refused. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly Attachment[];
  /** Without angle brackets. */
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * In milliseconds; shorter than the timeout of an attempt, so that the answer says what was slow.
 */
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 15_000,
  socketCloseTimeout: 1_000,
};
const MAX_RESPONSE_BYTES = 16_384;

/**
 * One connection for each email. The library is loaded with the first one, for a fast start.
 *
 * @param forceAuth whether the login is also tried if the server does not offer authentication
 */
async function transportTo(
  { host, port, secure, login, isLoopback }: MailServerConfig,
  forceAuth = false,
) {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    forceAuth,
    host,
    port,
    secure,
    requireTLS: login !== undefined && !isLoopback,
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    tls: { rejectUnauthorized: !isLoopback },
    ...timeouts,
    maxResponseSize: MAX_RESPONSE_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The timeout of {@link checkMailServer}, in milliseconds. */
const CHECK_TIMEOUT = 20_000;

/**
 * Connects to the mail server and signs in, without sending.
 *
 * @returns `undefined` if that succeeded, otherwise the server's answer, or why there was none
 */
export async function checkMailServer(server: MailServerConfig): Promise<string | undefined> {
  try {
    const transport = await transportTo(server, server.login !== undefined);
    return await Promise.race([
      transport.verify().then(() => undefined),
      pause(CHECK_TIMEOUT, `it took longer than ${CHECK_TIMEOUT / 1_000} seconds`, { ref: false }),
    ]);
  } catch (error) {
    return withoutTexts(reasonOf(error), secretsOf(server));
  }
}

/** The texts of a login that a mail server may repeat in an answer. */
function secretsOf({ login }: MailServerConfig): string[] {
  return login === undefined ? [] : [login.user, login.password];
}

/** Never rejects; the result says whether a retry may succeed. */
export async function sendEmail(
  server: MailServerConfig,
  { messageId, to, ...message }: Message,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const recipient = recipientOf(to);
  if (recipient === undefined) return noRecipient;
  const redact = (answer: string) =>
    withoutTexts(answer, [to, ...spellingsOf(recipient), ...secretsOf(server)]);
  try {
    const transport = await transportTo(server);
    const { response } = await transport.sendMail({
      ...message,
      attachments: [...message.attachments],
      to: { name: "", address: recipient },
      messageId: `<${messageId}>`,
      signal,
    });
    return { kind: "delivered", answer: redact(response) };
  } catch (error) {
    const answer = redact(reasonOf(error));
    if (isPermanent(error)) return { kind: "failed", answer, isRefusal: true };
    return { kind: "retry", answer, isOutage: !isAboutEmail(error) };
  }
}

/** The commands about one email; responses to all others are about the connection. */
const emailCommands = ["MAIL FROM", "RCPT TO", "DATA"];
/** "Authentication required": the response to an email, but caused by the mail server's login. */
const NOT_AUTHENTICATED = 530;

/**
 * Whether the server permanently refuses the email itself (5xx). After a refused password or
 * certificate the email can still be sent once the configuration is correct.
 */
function isPermanent(error: unknown): boolean {
  return isAboutEmail(error) && Object(error).responseCode >= 500;
}

function isAboutEmail(error: unknown): boolean {
  const { responseCode, command } = Object(error);
  if (typeof responseCode !== "number" || responseCode === NOT_AUTHENTICATED) return false;
  return emailCommands.includes(command);
}

/** Mail servers often repeat the address in a response, which is stored longer than the address. */
function withoutTexts(answer: string, texts: readonly string[]): string {
  if (texts.length === 0) return answer;
  const escaped = texts.map((text) => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, "\\$&"));
  return answer.replaceAll(new RegExp(escaped.join("|"), "giu"), "…");
}

/** The result while the shop sends no email. */
export const emailIsOff: AttemptResult = {
  kind: "retry",
  answer: "not sent: the shop sends no email",
};

/** The result for an address that has no `recipientOf`. */
export const noRecipient: AttemptResult = {
  kind: "failed",
  answer: "not sent: email cannot be sent to this address",
};

/** The spellings of a recipient that a mail server may use in a response. */
export function spellingsOf(recipient: string): string[] {
  const at = recipient.lastIndexOf("@");
  return [recipient, `${recipient.slice(0, at)}@${domainToUnicode(recipient.slice(at + 1))}`];
}
