import { recipientOf } from "@keepsats/domain";
import { reasonOf } from "../errors.ts";
import type { MailServerConfig } from "../mail-config.ts";
import type { Attempt } from "../outbox/channel.ts";
import { noRecipient, spellingsOf } from "./recipient.ts";

/** A mail as it is sent. */
export interface Message {
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string;
  /**
   * One plain address. A text that could be read as several, or as a header, is given up ({@link
   * recipientOf}).
   */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a mail. It never rejects; the result says whether it is worth trying again. */
export type SendMail = (message: Message, signal: AbortSignal) => Promise<Attempt>;

/**
 * In milliseconds. All of them end before the time limit of an attempt does, so that the answer
 * says what was slow.
 */
const timeLimits = {
  dnsTimeout: 5_000,
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 15_000,
  socketCloseTimeout: 1_000,
};
const MOST_ANSWER_BYTES = 16_384;

/**
 * Prepares connections to a mail server, one for each mail. The library is loaded with the first
 * one, so that the start does not take longer.
 */
function transportTo({ host, port, secure, login, isLoopback }: MailServerConfig) {
  const options = {
    host,
    port,
    secure,
    requireTLS: login !== undefined && !isLoopback,
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    tls: { rejectUnauthorized: !isLoopback },
    ...timeLimits,
    maxResponseSize: MOST_ANSWER_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return lazily(async () => (await import("nodemailer")).createTransport(options));
}

/**
 * Creates the function that connects to the mail server and signs in, without a mail. @returns
 * whether that succeeded
 */
export function createIsMailServerUsable(server: MailServerConfig): () => Promise<boolean> {
  const transport = transportTo(server);
  return async () => {
    const sender = await transport();
    return sender.verify().catch(() => false);
  };
}

/** Creates the function that sends mail over SMTP. */
export function createSendMail(server: MailServerConfig): SendMail {
  const { login } = server;
  const transport = transportTo(server);
  return async ({ messageId, to, ...message }, signal) => {
    const recipient = recipientOf(to);
    if (recipient === undefined) return noRecipient;
    const secrets = login === undefined ? [] : [login.user, login.password];
    const keep = (answer: string) =>
      withoutTexts(answer, [to, ...spellingsOf(recipient), ...secrets]);
    try {
      const sender = await transport();
      const { response } = await sender.sendMail({
        ...message,
        to: { name: "", address: recipient },
        messageId: `<${messageId}>`,
        signal,
      });
      return { kind: "delivered", answer: keep(response) };
    } catch (error) {
      const answer = keep(reasonOf(error));
      if (isForGood(error)) return { kind: "gave-up", answer, isRefusal: true };
      return { kind: "retry", answer, isOutage: !isAboutLetter(error) };
    }
  };
}

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * The commands that are about one letter; what a server answers to the others is about the
 * connection.
 */
const letterCommands = ["MAIL FROM", "RCPT TO", "DATA"];
/** "Authentication required": the answer to a letter, but about `SMTP_URL`. */
const NOT_SIGNED_IN = 530;

/**
 * Whether a mail that failed is not worth another attempt: the server refuses the letter itself for
 * good (5xx). A refused password or certificate is about the settings, and the letter can still be
 * sent once they are right.
 */
function isForGood(error: unknown): boolean {
  return isAboutLetter(error) && Object(error).responseCode >= 500;
}

function isAboutLetter(error: unknown): boolean {
  const { responseCode, command } = Object(error);
  if (typeof responseCode !== "number" || responseCode === NOT_SIGNED_IN) return false;
  return letterCommands.includes(command);
}

/**
 * Mail servers often repeat the address in their answers, which are kept longer than the address
 * may be.
 */
function withoutTexts(answer: string, texts: readonly string[]): string {
  const escaped = texts.map((text) => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, "\\$&"));
  return answer.replaceAll(new RegExp(escaped.join("|"), "giu"), "…");
}
