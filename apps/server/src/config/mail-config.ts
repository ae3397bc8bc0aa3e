import { isEmailAddress } from "@keepsats/domain";
import { type Environment, isLoopback, refuse, text } from "./environment.ts";

export interface MailConfig {
  readonly server: MailServerConfig;
  readonly from: MailSender;
}

export type MailEnvironment = ReturnType<typeof readMail>;

/** The sender of all email. Without a name, the shop's name is used. */
interface MailSender {
  readonly name: string | undefined;
  readonly address: string;
}

export interface MailServerConfig {
  readonly host: string;
  readonly port: number;
  /** Whether the connection starts with TLS. Otherwise it upgrades with STARTTLS if offered. */
  readonly secure: boolean;
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /**
   * Whether the server is on this machine: only then is its certificate not verified, and a
   * password sent without TLS.
   */
  readonly isLoopback: boolean;
}

const smtpTakes =
  "a URL such as smtp://127.0.0.1:25, smtp://user:password@mail.example:587 or smtps://user:password@mail.example";

function mailServer(env: Environment): MailServerConfig | undefined {
  const value = text(env, "SMTP_URL");
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  const isPlain =
    url !== null &&
    url.hostname !== "" &&
    /^\/?$/.test(url.pathname) &&
    url.search + url.hash === "";
  if (!isPlain || !/^smtps?:$/.test(url.protocol)) return refuse("SMTP_URL", value, smtpTakes);
  const [user, password] = [tryDecode(url.username), tryDecode(url.password)];
  if (user === undefined || password === undefined || (user === "") !== (password === ""))
    return refuse("SMTP_URL", value, smtpTakes);
  const secure = url.protocol === "smtps:";
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    login: user === "" ? undefined : { user, password },
    isLoopback: isLoopback(url.hostname),
  };
}

function tryDecode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function mailFrom(env: Environment): MailSender | undefined {
  const value = text(env, "MAIL_FROM");
  if (value === undefined) return undefined;
  const [, name, inBrackets, alone] =
    /^(?:"?([^"<>]*?)"?\s*<([^<>]*)>|([^<>]*))$/.exec(value) ?? [];
  const address = (inBrackets ?? alone ?? "").trim();
  if (!isEmailAddress(address) || /\p{Cc}/u.test(value))
    return refuse(
      "MAIL_FROM",
      value,
      "an address such as orders@shop.example or Shop <orders@shop.example>",
    );
  return { name: name?.trim() || undefined, address };
}

/**
 * Reads the part of the mail configuration that the environment sets; owners can set the rest.
 *
 * @throws {ConfigError} for the first invalid variable
 */
export function readMail(env: Environment) {
  return { server: mailServer(env), from: mailFrom(env) };
}
