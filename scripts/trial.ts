import { randomBytes } from "node:crypto";
import { readSettings, SettingError } from "../apps/sandbox/src/settings.ts";
import { readConfig } from "../apps/server/src/config/config.ts";
import { ConfigError } from "../apps/server/src/config/environment.ts";

/**
 * The addresses of a trial, and the environments that connect the shop with the sandbox: the same
 * API key for both, and the sandbox's pop-up, API and mailbox for the shop. A trial has its own
 * database with the sample catalogue, so that no simulated payment gets into the database of a live
 * shop. Exits with a one-line message if a variable is invalid, before anything is started.
 *
 * @param env its variables of the loan provider and of email are ignored
 */
export function wireTrial(env: NodeJS.ProcessEnv) {
  const key = randomBytes(24).toString("base64url");
  const sandboxOrigin = `http://localhost:${env.SANDBOX_PORT || "3001"}`;
  const shopOrigin = env.PUBLIC_URL || `http://localhost:${env.PORT || "3000"}`;
  const serverEnv = {
    DATABASE_URL: env.DATABASE_URL || "file:./data/trial.db",
    LOAN_API_URL: sandboxOrigin,
    LOAN_API_KEY: key,
    LOAN_POPUP_URL_TEST: sandboxOrigin,
    LOAN_POPUP_URL_MAINNET: sandboxOrigin,
    SMTP_URL: `smtp://127.0.0.1:${env.SANDBOX_SMTP_PORT || "2525"}`,
    MAIL_FROM: "orders@shop.example",
    LOG_LEVEL: env.LOG_LEVEL || "warn",
    SAMPLE_CATALOGUE: env.SAMPLE_CATALOGUE || "on",
    WEBHOOKS_PRIVATE: env.WEBHOOKS_PRIVATE || "on",
    ADMIN_PORT: env.ADMIN_PORT || "3002",
    ADMIN_LINK: env.ADMIN_LINK || "on",
  };
  const sandboxEnv = { SANDBOX_API_KEY: key, SANDBOX_SHOP_ORIGIN: shopOrigin };
  try {
    // An invalid origin is reported as PUBLIC_URL.
    readSettings({ ...env, ...sandboxEnv, SANDBOX_SHOP_ORIGIN: undefined });
    readConfig({ ...env, ...serverEnv });
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof SettingError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
  return { shopOrigin, mailbox: `${sandboxOrigin}/mailbox`, serverEnv, sandboxEnv };
}

/** The shell command of the CLI for this shop. */
export function cliCommand(env: NodeJS.ProcessEnv): string {
  const settings = ["PORT", "DATABASE_URL"].flatMap((name) =>
    env[name] ? [`${name}=${env[name]}`] : [],
  );
  return [...settings, "npm run cli --"].join(" ");
}

/** The sandbox strips types from its pop-up's script, which Node warns about as experimental. */
export const sandboxArgs = ["--disable-warning=ExperimentalWarning", "apps/sandbox/src/main.ts"];
