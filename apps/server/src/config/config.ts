import { resolve } from "node:path";
import proxyAddr from "@fastify/proxy-addr";
import { centsFromAmount } from "@keepsats/domain";
import { shopSettingsSchema } from "@keepsats/protocol";
import { readAdmin } from "./admin-config.ts";
import {
  ConfigError,
  type Environment,
  httpUrl,
  integer,
  isOn,
  optional,
  origin,
  refuse,
  text,
} from "./environment.ts";
import { readMail } from "./mail-config.ts";

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

type DatabaseConfig =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string };

/** The validated configuration of one server process. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/** @throws {ConfigError} for the first invalid or missing variable */
export function readConfig(env: Environment) {
  const trusted = trustProxy(env);
  const port = integer(env, "PORT", 3000, 1, 65_535);
  const host = text(env, "HOST") ?? "127.0.0.1";
  const database = readDatabase(env);
  const publicUrl = origin(env, "PUBLIC_URL", `http://localhost:${port}`);
  const network =
    optional(
      env,
      "LOAN_NETWORK",
      (value) => /^(?:test|mainnet)$/.exec(value)?.[0],
      "test or mainnet",
    ) ?? "test";
  return {
    host,
    port,
    /** The origin of the storefront, such as `https://shop.example`. */
    publicUrl,
    database,
    /** If set, the bus uses Redis. */
    redisUrl: optional(env, "REDIS_URL", validRedisUrl, "a URL such as redis://host:6379"),
    /** The shop's channel in Redis; `undefined` to derive it from the database's id. */
    redisPrefix: optional(
      env,
      "REDIS_PREFIX",
      (prefix) => /^[\w:.-]{1,64}$/.exec(prefix)?.[0],
      "1 to 64 letters, digits, dots, colons, hyphens and underscores",
    ),
    /** The name of the loan provider's adapter. */
    loanProvider: text(env, "LOAN_PROVIDER") ?? "contracts-api",
    loanApiUrl: httpUrl(env, "LOAN_API_URL"),
    loanApiKey: loanApiKey(env),
    popupHosts: popupHosts(env, network),
    loanNetwork: network,
    loanInviteCode: text(env, "LOAN_INVITE_CODE") ?? "beta",
    adminToken: adminToken(env, database),
    rateLimits: rateLimits(env),
    /** How many sockets one address may have open in one process. */
    maxSocketsPerAddress: integer(env, "MAX_SOCKETS_PER_ADDRESS", 200, 1, 1_000_000),
    trustProxy: trusted,
    /** How long a stopping server keeps answering, so that proxies stop sending requests to it. */
    drainSeconds: integer(env, "DRAIN_SECONDS", trusted === false ? 0 : 5, 0, 600),
    /** An order without a payment is cancelled after this many hours. */
    orderExpiresHours: integer(env, "ORDER_EXPIRES_HOURS", 72, 1, 100_000),
    /**
     * Staff should check a larger payout with the provider before they refund the rest. In cents;
     * `undefined` for twice the order's total plus $100.
     */
    overpaymentLimit: optional(
      env,
      "OVERPAYMENT_LIMIT_DOLLARS",
      centsFromAmount,
      "an amount of dollars, such as 1000 or 99.50",
    ),
    retainDays: retainDays(env),
    metricsToken: text(env, "METRICS_TOKEN"),
    /** Whether an empty catalogue is filled with `catalogue/items.json` at the start. */
    sampleCatalogue: isOn(env, "SAMPLE_CATALOGUE"),
    logLevel:
      optional(
        env,
        "LOG_LEVEL",
        (value) => logLevels.find((level) => level === value),
        `one of ${logLevels.join(", ")}`,
      ) ?? "info",
    shopName: shopName(env),
    /** The shop's contact for customers, validated like the setting. */
    shopContact: optional(
      env,
      "SHOP_CONTACT",
      (value) => shopSettingsSchema.shape.contact.safeParse(value).data ?? undefined,
      "an email address, or the address of a page such as https://shop.example/help",
    ),
    mail: readMail(env),
    /** `undefined` if the admin is off. */
    admin: readAdmin(env, { host, port, publicUrl }),
    /** Whether webhooks may have `http:` URLs and private addresses. */
    webhooksPrivate: isOn(env, "WEBHOOKS_PRIVATE"),
  };
}

function validRedisUrl(url: string): string | undefined {
  return /^rediss?:\/\//.test(url) && URL.canParse(url) ? url : undefined;
}

function loanApiKey(env: Environment): string {
  const key = text(env, "LOAN_API_KEY");
  if (key !== undefined && /^[\x21-\x7e]+$/.test(key)) return key;
  return refuse(
    "LOAN_API_KEY",
    key === undefined ? undefined : "…",
    "the key that the loan provider gave you",
  );
}

/**
 * A SQLite file, as an absolute path, or a PostgreSQL database.
 *
 * @throws {ConfigError} if `DATABASE_URL` is invalid
 */
export function readDatabase(env: Environment): DatabaseConfig {
  const url = text(env, "DATABASE_URL") ?? "file:./data/keepsats.db";
  const path = /^file:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1];
  if (path !== undefined) return { kind: "sqlite", file: resolve(path) };
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return { kind: "postgres", url };
  return refuse(
    "DATABASE_URL",
    url,
    "file: and a path, such as file:./data/keepsats.db, or postgres://user:password@host/database",
  );
}

/** Fastify's `trustProxy`: off, a number of hops, or a list of addresses. */
function trustProxy(env: Environment): false | number | string {
  const value = text(env, "TRUST_PROXY");
  if (value === undefined || value === "off") return false;
  if (/^\d{1,2}$/.test(value)) return Number(value);
  try {
    proxyAddr.compile(value.split(",").map((address) => address.trim()));
    return value;
  } catch {
    return refuse(
      "TRUST_PROXY",
      value,
      "off, a number of hops, or a list of addresses such as 10.0.0.0/8",
    );
  }
}

/** The pop-up of the used network must be set; it is the default of the other one. */
function popupHosts(env: Environment, network: string) {
  const used = network === "mainnet" ? "LOAN_POPUP_URL_MAINNET" : "LOAN_POPUP_URL_TEST";
  const host = origin(env, used);
  return {
    mainnet: origin(env, "LOAN_POPUP_URL_MAINNET", host),
    test: origin(env, "LOAN_POPUP_URL_TEST", host),
  };
}

/** The default of a shop setting, validated like the setting. */
function shopName(env: Environment): string {
  const value = text(env, "SHOP_NAME") ?? "Keepsats";
  const { data, error } = shopSettingsSchema.shape.name.safeParse(value);
  return data ?? refuse("SHOP_NAME", value, `a name, which ${error?.issues[0]?.message}`);
}

/**
 * The personal data of an order is erased this many days after delivery or cancellation;
 * `undefined` for never.
 */
function retainDays(env: Environment): number | undefined {
  const value = text(env, "RETAIN_DAYS");
  if (value === undefined || value === "off") return undefined;
  if (/^\d{1,4}$/.test(value) && Number(value) > 0) return Number(value);
  return refuse("RETAIN_DAYS", value, "off, or a whole number of days from 1 to 9999");
}

/** `ADMIN_TOKEN` must not be guessable. */
export const MIN_TOKEN_LENGTH = 24;
export const sharedToken = `your own token of at least ${MIN_TOKEN_LENGTH} characters, the same for every process on PostgreSQL`;

function adminToken(env: Environment, database: DatabaseConfig): string | undefined {
  const token = text(env, "ADMIN_TOKEN");
  if (token === undefined)
    return database.kind === "postgres" ? refuse("ADMIN_TOKEN", token, sharedToken) : undefined;
  if (token.length >= MIN_TOKEN_LENGTH) return token;
  const expected = `expected at least ${MIN_TOKEN_LENGTH} characters, such as what "openssl rand -base64 24" prints`;
  throw new ConfigError(`ADMIN_TOKEN: got a text of length ${token.length}, ${expected}`);
}

/** The default of `RATE_LIMIT_ORDERS_DAILY` is this many times `RATE_LIMIT_ORDERS`. */
const DAILY_PER_MINUTE = 20;

/** Requests per address: orders and socket upgrades per minute, and orders per day. */
function rateLimits(env: Environment) {
  const orders = integer(env, "RATE_LIMIT_ORDERS", 30, 1, 1_000_000);
  const daily = orders * DAILY_PER_MINUTE;
  return {
    orders,
    ordersDaily: integer(env, "RATE_LIMIT_ORDERS_DAILY", daily, 1, 1_000_000_000),
    sockets: integer(env, "RATE_LIMIT_SOCKETS", 60, 1, 1_000_000),
  };
}
