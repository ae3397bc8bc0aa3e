import { resolve } from "node:path";

export interface Settings {
  readonly port: number;
  /** The mailbox's port; without one, the SMTP server is not started. */
  readonly smtpPort: number | undefined;
  /** The SQLite file, as an absolute path. */
  readonly file: string;
  /** The only origin to which the pop-up sends messages. */
  readonly shopOrigin: string;
  readonly apiKey: string;
  /** How long a contract stays in each state, in milliseconds. */
  readonly step: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The message has the name of the setting, its value and the values that it accepts. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** @throws {SettingError} for the first setting that is missing or invalid */
export function readSettings(env: Environment): Settings {
  return {
    port: wholeNumber(env, "SANDBOX_PORT", 3001, 65_535),
    smtpPort: wholeNumber(env, "SANDBOX_SMTP_PORT", 2525, 65_535),
    file: resolve(env.SANDBOX_DATA || "data/sandbox.db"),
    shopOrigin: origin(env, "SANDBOX_SHOP_ORIGIN", "http://localhost:3000"),
    apiKey:
      env.SANDBOX_API_KEY ||
      refuse("SANDBOX_API_KEY", undefined, "any text; LOAN_API_KEY of the shop is the same"),
    step: wholeNumber(env, "SANDBOX_STEP_MS", 1_500, 600_000),
  };
}

function wholeNumber(env: Environment, name: string, fallback: number, max: number): number {
  const value = env[name];
  if (value === undefined || value === "") return fallback;
  const number = Number(value);
  return /^\d+$/.test(value) && number > 0 && number <= max
    ? number
    : refuse(name, value, `a whole number from 1 to ${max}`);
}

function origin(env: Environment, name: string, fallback: string): string {
  const value = env[name] || fallback;
  if (!URL.canParse(value) || !/^https?:\/\//.test(value)) {
    refuse(name, value, "an origin such as http://localhost:3000");
  }
  return new URL(value).origin;
}

function refuse(name: string, got: string | undefined, expected: string): never {
  throw new SettingError(
    `${name}${got === undefined ? " is not set" : `: got "${got}"`}, expected ${expected}`,
  );
}
