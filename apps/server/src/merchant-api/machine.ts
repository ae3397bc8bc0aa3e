import { amountFromCents } from "@keepsats/domain";
import { type Machine, machineSchema, paths, type Release } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { noFields, type Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";

const operation = {
  operationId: "machine",
  summary: "The machine's settings, and the versions that the server runs on",
  description:
    "They are read only: the environment of the server has them. Of a secret only whether it is set is told.",
  tag: "merchant",
  permission: "server-settings:read",
  takes: noFields,
  answers: { 200: machineSchema },
} satisfies Operation;

type Setting = Machine["settings"][number];

/** A setting that may be shown; `undefined` if it is not set. */
function shown(name: string, value: string | number | undefined): Setting {
  const text = value === undefined ? null : String(value);
  return { name, value: text, secret: false, set: text !== null };
}

/** A setting of which only whether it is set may be told. */
function secret(name: string, value: unknown): Setting {
  return { name, value: null, secret: true, set: value !== undefined };
}

function onOff(name: string, isOn: boolean): Setting {
  return shown(name, isOn ? "on" : "off");
}

function sender({ name, address }: NonNullable<Config["mail"]>["from"]): string {
  return name === undefined ? address : `${name} <${address}>`;
}

/** The server of mail without the password, as a URL. */
function mailUrl({ host, port, secure }: NonNullable<Config["mail"]>["server"]): string {
  return `${secure ? "smtps" : "smtp"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** A URL without user, password and parameters, which may have secrets. */
function withoutSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** The settings of a configuration, sorted by name. */
export function settingsIn(config: Config): Setting[] {
  const { database, redisUrl, popupHosts, rateLimits, trustProxy, mail } = config;
  /** Each field, so that a new one needs a line here. */
  const byField: Readonly<Record<keyof Config, readonly Setting[]>> = {
    host: [shown("HOST", config.host)],
    port: [shown("PORT", config.port)],
    publicUrl: [shown("PUBLIC_URL", config.publicUrl)],
    database: [
      shown(
        "DATABASE_URL",
        database.kind === "sqlite" ? `file:${database.file}` : withoutSecrets(database.url),
      ),
    ],
    redisUrl: [shown("REDIS_URL", redisUrl === undefined ? undefined : withoutSecrets(redisUrl))],
    redisPrefix: [shown("REDIS_PREFIX", config.redisPrefix)],
    loanProvider: [shown("LOAN_PROVIDER", config.loanProvider)],
    loanApiUrl: [shown("LOAN_API_URL", config.loanApiUrl)],
    loanApiKey: [secret("LOAN_API_KEY", config.loanApiKey)],
    popupHosts: [
      shown("LOAN_POPUP_URL_MAINNET", popupHosts.mainnet),
      shown("LOAN_POPUP_URL_TEST", popupHosts.test),
    ],
    loanNetwork: [shown("LOAN_NETWORK", config.loanNetwork)],
    loanInviteCode: [shown("LOAN_INVITE_CODE", config.loanInviteCode)],
    merchantToken: [secret("MERCHANT_TOKEN", config.merchantToken)],
    rateLimits: [
      shown("RATE_LIMIT_ORDERS", rateLimits.orders),
      shown("RATE_LIMIT_ORDERS_DAILY", rateLimits.ordersDaily),
      shown("RATE_LIMIT_SOCKETS", rateLimits.sockets),
    ],
    maxSocketsPerAddress: [shown("MAX_SOCKETS_PER_ADDRESS", config.maxSocketsPerAddress)],
    trustProxy: [shown("TRUST_PROXY", trustProxy === false ? "off" : trustProxy)],
    drainSeconds: [shown("DRAIN_SECONDS", config.drainSeconds)],
    orderExpiresHours: [shown("ORDER_EXPIRES_HOURS", config.orderExpiresHours)],
    overpaymentLimit: [
      shown(
        "OVERPAYMENT_LIMIT_DOLLARS",
        config.overpaymentLimit === undefined
          ? undefined
          : amountFromCents(config.overpaymentLimit),
      ),
    ],
    retainDays: [shown("RETAIN_DAYS", config.retainDays ?? "off")],
    metricsToken: [secret("METRICS_TOKEN", config.metricsToken)],
    sampleCatalogue: [onOff("SAMPLE_CATALOGUE", config.sampleCatalogue)],
    logLevel: [shown("LOG_LEVEL", config.logLevel)],
    shopName: [shown("SHOP_NAME", config.shopName)],
    shopContact: [shown("SHOP_CONTACT", config.shopContact)],
    webhooksPrivate: [onOff("WEBHOOKS_PRIVATE", config.webhooksPrivate)],
    desk: [
      shown("DESK_PORT", config.desk?.port ?? "off"),
      shown("DESK_HOST", config.desk?.host),
      shown("DESK_URL", config.desk?.url),
      onOff("DESK_LINK", config.desk?.link ?? false),
    ],
    mail: [
      shown("SMTP_URL", mail === undefined ? undefined : mailUrl(mail.server)),
      secret("SMTP_URL, user and password", mail?.server.login),
      shown("MAIL_FROM", mail === undefined ? undefined : sender(mail.from)),
    ],
  };
  return Object.values(byField)
    .flat()
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function busOf({ database, redisUrl }: Config): Machine["bus"] {
  if (redisUrl !== undefined) return "redis";
  return database.kind === "postgres" ? "postgres" : "memory";
}

interface Options {
  readonly config: Config;
  readonly release: Release;
  /** When this process was started, in epoch milliseconds. */
  readonly startedAt: number;
}

export function machineRoute(app: FastifyInstance, { config, release, startedAt }: Options): void {
  route(app, { method: "GET", path: paths.merchant.machine }, operation, async () => ({
    ...release,
    node: process.versions.node,
    database: config.database.kind,
    bus: busOf(config),
    started_at: startedAt,
    settings: settingsIn(config),
  }));
}
