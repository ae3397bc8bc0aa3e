import { resolve } from "node:path";
import proxyAddr from "@fastify/proxy-addr";
import { type Cents, centsFromAmount } from "@keepsats/domain";
import { shopSettingsSchema } from "@keepsats/protocol";
import { type AdminConfig, readAdmin } from "./admin-config.ts";
import {
  ConfigError,
  type Environment,
  httpUrl,
  integer,
  isOn,
  origin,
  refuse,
  text,
  withoutLogin,
} from "./environment.ts";
import { type MailEnvironment, readMail } from "./mail-config.ts";

/** The validated configuration of one server process. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** The origin of the storefront, such as `https://shop.example`. */
  readonly publicUrl: string;
  /** A SQLite file, as an absolute path, or a PostgreSQL database. */
  readonly database:
    | { readonly kind: "sqlite"; readonly file: string }
    | { readonly kind: "postgres"; readonly url: string };
  /** If set, the bus and the shared rate limits use Redis. */
  readonly redisUrl: string | undefined;
  /**
   * Prefix of this shop's channel and keys in Redis; `undefined` to derive it from the database's
   * id.
   */
  readonly redisPrefix: string | undefined;
  /** The name of the loan provider's adapter. */
  readonly loanProvider: string;
  readonly loanApiUrl: string;
  readonly loanApiKey: string;
  readonly popupHosts: { readonly mainnet: string; readonly test: string };
  readonly loanNetwork: string;
  readonly loanInviteCode: string;
  readonly adminToken: string | undefined;
  /** Requests per address: orders and socket upgrades per minute, and orders per day. */
  readonly rateLimits: {
    readonly orders: number;
    readonly ordersDaily: number;
    readonly sockets: number;
  };
  /** How many sockets one address may have open in one process. */
  readonly maxSocketsPerAddress: number;
  /** Fastify's `trustProxy`: off, a number of hops, or a list of addresses. */
  readonly trustProxy: false | number | string;
  /** How long a stopping server keeps answering, so that proxies stop sending requests to it. */
  readonly drainSeconds: number;
  /** An order without a payment is cancelled after this many hours. */
  readonly orderExpiresHours: number;
  /**
   * Staff should check a larger payout with the provider before they refund the rest. In cents;
   * `undefined` for twice the order's total plus $100.
   */
  readonly overpaymentLimit: Cents | undefined;
  /**
   * The personal data of an order is erased this many days after delivery or cancellation;
   * `undefined` for never.
   */
  readonly retainDays: number | undefined;
  readonly metricsToken: string | undefined;
  /** Whether an empty catalogue is filled with `catalogue/items.json` at the start. */
  readonly sampleCatalogue: boolean;
  readonly logLevel: string;
  readonly shopName: string;
  /** The shop's contact for customers: an email address or the URL of a page. */
  readonly shopContact: string | undefined;
  /** Whether webhooks may have `http:` URLs and private addresses. */
  readonly webhooksPrivate: boolean;
  readonly mail: MailEnvironment;
  /** `undefined` if the admin is off. */
  readonly admin: AdminConfig | undefined;
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

/** @throws {ConfigError} if `DATABASE_URL` is invalid */
export function readDatabase(env: Environment): Config["database"] {
  const url = text(env, "DATABASE_URL") ?? "file:./data/keepsats.db";
  const path = /^file:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1];
  if (path !== undefined) return { kind: "sqlite", file: resolve(path) };
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return { kind: "postgres", url };
  return refuse(
    "DATABASE_URL",
    withoutLogin(url),
    "file: and a path, such as file:./data/keepsats.db, or postgres://user:password@host/database",
  );
}

function redisUrl(env: Environment): string | undefined {
  const url = text(env, "REDIS_URL");
  if (url === undefined || (/^rediss?:\/\//.test(url) && URL.canParse(url))) return url;
  return refuse("REDIS_URL", withoutLogin(url), "a URL such as redis://host:6379");
}

function redisPrefix(env: Environment): string | undefined {
  const prefix = text(env, "REDIS_PREFIX");
  if (prefix === undefined || /^[\w:.-]{1,64}$/.test(prefix)) return prefix;
  return refuse(
    "REDIS_PREFIX",
    prefix,
    "1 to 64 letters, digits, dots, colons, hyphens and underscores",
  );
}

function trustProxy(env: Environment): Config["trustProxy"] {
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

function logLevel(env: Environment): string {
  const levels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];
  const value = text(env, "LOG_LEVEL") ?? "info";
  return levels.includes(value) ? value : refuse("LOG_LEVEL", value, `one of ${levels.join(", ")}`);
}

function loanNetwork(env: Environment): string {
  const value = text(env, "LOAN_NETWORK") ?? "test";
  if (value === "test" || value === "mainnet") return value;
  return refuse("LOAN_NETWORK", value, "test or mainnet");
}

function popupHosts(env: Environment): Config["popupHosts"] {
  const network = loanNetwork(env);
  const used = network === "mainnet" ? "LOAN_POPUP_URL_MAINNET" : "LOAN_POPUP_URL_TEST";
  const host = origin(env, used);
  return {
    mainnet: origin(env, "LOAN_POPUP_URL_MAINNET", host),
    test: origin(env, "LOAN_POPUP_URL_TEST", host),
  };
}

/** Defaults of shop settings are validated like the settings. */
function shopName(env: Environment): string {
  const value = text(env, "SHOP_NAME") ?? "Keepsats";
  const { data, error } = shopSettingsSchema.shape.name.safeParse(value);
  return data ?? refuse("SHOP_NAME", value, `a name, which ${error?.issues[0]?.message}`);
}

function shopContact(env: Environment): string | undefined {
  const value = text(env, "SHOP_CONTACT");
  if (value === undefined) return undefined;
  const { data } = shopSettingsSchema.shape.contact.safeParse(value);
  return (
    data ??
    refuse(
      "SHOP_CONTACT",
      value,
      "an email address, or the address of a page such as https://shop.example/help",
    )
  );
}

function overpaymentLimit(env: Environment): Cents | undefined {
  const value = text(env, "OVERPAYMENT_LIMIT_DOLLARS");
  if (value === undefined) return undefined;
  const expected = "an amount of dollars, such as 1000 or 99.50";
  return centsFromAmount(value) ?? refuse("OVERPAYMENT_LIMIT_DOLLARS", value, expected);
}

function retainDays(env: Environment): number | undefined {
  const value = text(env, "RETAIN_DAYS");
  if (value === undefined || value === "off") return undefined;
  if (/^\d{1,4}$/.test(value) && Number(value) > 0) return Number(value);
  return refuse("RETAIN_DAYS", value, "off, or a whole number of days from 1 to 9999");
}

/** The default of `RATE_LIMIT_ORDERS_DAILY` is this many times `RATE_LIMIT_ORDERS`. */
const DAILY_PER_MINUTE = 20;
/** `ADMIN_TOKEN` must not be guessable. */
export const MIN_TOKEN_LENGTH = 24;
export const sharedToken = `your own token of at least ${MIN_TOKEN_LENGTH} characters, the same for every process on PostgreSQL`;

function adminToken(env: Environment, database: Config["database"]): string | undefined {
  const token = text(env, "ADMIN_TOKEN");
  if (token === undefined)
    return database.kind === "postgres" ? refuse("ADMIN_TOKEN", token, sharedToken) : undefined;
  if (token.length >= MIN_TOKEN_LENGTH) return token;
  const expected = `expected at least ${MIN_TOKEN_LENGTH} characters, such as what "openssl rand -base64 24" prints`;
  throw new ConfigError(`ADMIN_TOKEN: got a text of length ${token.length}, ${expected}`);
}

/** @throws {ConfigError} for the first invalid or missing variable */
export function readConfig(env: Environment): Config {
  const trusted = trustProxy(env);
  const port = integer(env, "PORT", 3000, 1, 65_535);
  const host = text(env, "HOST") ?? "127.0.0.1";
  const database = readDatabase(env);
  const publicUrl = origin(env, "PUBLIC_URL", `http://localhost:${port}`);
  const ordersPerMinute = integer(env, "RATE_LIMIT_ORDERS", 30, 1, 1_000_000);
  return {
    host,
    port,
    publicUrl,
    database,
    redisUrl: redisUrl(env),
    redisPrefix: redisPrefix(env),
    loanProvider: text(env, "LOAN_PROVIDER") ?? "contracts-api",
    loanApiUrl: httpUrl(env, "LOAN_API_URL"),
    loanApiKey: loanApiKey(env),
    popupHosts: popupHosts(env),
    loanNetwork: loanNetwork(env),
    loanInviteCode: text(env, "LOAN_INVITE_CODE") ?? "beta",
    adminToken: adminToken(env, database),
    rateLimits: {
      orders: ordersPerMinute,
      ordersDaily: integer(
        env,
        "RATE_LIMIT_ORDERS_DAILY",
        ordersPerMinute * DAILY_PER_MINUTE,
        1,
        1_000_000_000,
      ),
      sockets: integer(env, "RATE_LIMIT_SOCKETS", 60, 1, 1_000_000),
    },
    maxSocketsPerAddress: integer(env, "MAX_SOCKETS_PER_ADDRESS", 200, 1, 1_000_000),
    trustProxy: trusted,
    drainSeconds: integer(env, "DRAIN_SECONDS", trusted === false ? 0 : 5, 0, 600),
    orderExpiresHours: integer(env, "ORDER_EXPIRES_HOURS", 72, 1, 100_000),
    overpaymentLimit: overpaymentLimit(env),
    retainDays: retainDays(env),
    metricsToken: text(env, "METRICS_TOKEN"),
    sampleCatalogue: isOn(env, "SAMPLE_CATALOGUE"),
    logLevel: logLevel(env),
    shopName: shopName(env),
    shopContact: shopContact(env),
    mail: readMail(env),
    admin: readAdmin(env, { host, port, publicUrl }),
    webhooksPrivate: isOn(env, "WEBHOOKS_PRIVATE"),
  };
}
