import { amountFromCents } from "@keepsats/domain";
import {
  paths,
  type Release,
  type ServerSettingsAnswer,
  serverSettingsSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import type { Config } from "../../config/config.ts";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { get, route } from "../../platform/http/route.ts";

const operation = {
  operationId: "serverSettings",
  summary: "Get the server settings and versions",
  description:
    "Read-only, because they come from the environment. Of a secret only its presence is reported.",
  permission: "server-settings:read",
  takes: noFields,
  answers: { 200: serverSettingsSchema },
} satisfies Operation;

type Setting = ServerSettingsAnswer["settings"][number];

/** @param value `undefined` if the setting is not set */
function shown(name: string, value: string | number | undefined): Setting {
  const text = value === undefined ? null : String(value);
  return { name, value: text, secret: false, set: text !== null };
}

/** A secret: only its presence is reported. */
function secret(name: string, value: unknown): Setting {
  return { name, value: null, secret: true, set: value !== undefined };
}

function onOff(name: string, isOn: boolean): Setting {
  return shown(name, isOn ? "on" : "off");
}

function sender({ name, address }: NonNullable<Config["mail"]["from"]>): string {
  return name === undefined ? address : `${name} <${address}>`;
}

/** The URL of the mail server, without user and password. */
function mailUrl({ host, port, secure }: NonNullable<Config["mail"]["server"]>): string {
  return `${secure ? "smtps" : "smtp"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Removes user, password and parameters. */
function withoutSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** The settings of a configuration, sorted by name. */
export function serverSettingsIn(config: Config): Setting[] {
  const { database, redisUrl, popupHosts, rateLimits, trustProxy, mail } = config;
  /** Lists every field of the configuration, so that a new one does not compile without a line. */
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
    adminToken: [secret("ADMIN_TOKEN", config.adminToken)],
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
    admin: [
      shown("ADMIN_PORT", config.admin?.port ?? "off"),
      shown("ADMIN_HOST", config.admin?.host),
      shown("ADMIN_URL", config.admin?.url),
      onOff("ADMIN_LINK", config.admin?.link ?? false),
    ],
    mail: [
      shown("SMTP_URL", mail.server && mailUrl(mail.server)),
      secret("SMTP_URL, user and password", mail.server?.login),
      shown("MAIL_FROM", mail.from && sender(mail.from)),
    ],
  };
  return Object.values(byField)
    .flat()
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function busOf({ database, redisUrl }: Config): ServerSettingsAnswer["bus"] {
  if (redisUrl !== undefined) return "redis";
  return database.kind === "postgres" ? "postgres" : "memory";
}

interface Options {
  readonly config: Config;
  readonly release: Release;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

export function serverSettingsRoute(
  app: FastifyInstance,
  { config, release, startedAt }: Options,
): void {
  route(app, get(paths.admin.serverSettings), operation, async () => ({
    ...release,
    node: process.versions.node,
    database: config.database.kind,
    bus: busOf(config),
    started_at: startedAt,
    settings: serverSettingsIn(config),
  }));
}
