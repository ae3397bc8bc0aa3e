import type { Config } from "../../apps/server/src/config/config.ts";

/** No order of a test gets so old. */
export const ORDER_EXPIRES_HOURS = 72;

type Required = "port" | "publicUrl" | "database" | "loanApiUrl" | "loanApiKey" | "adminToken";

/**
 * The configuration of a server on this machine, with limits that no test reaches, and without
 * Redis, email and the admin.
 */
export function aConfig(changes: Pick<Config, Required> & Partial<Config>): Config {
  return {
    host: "127.0.0.1",
    redisUrl: undefined,
    redisPrefix: undefined,
    orderExpiresHours: ORDER_EXPIRES_HOURS,
    overpaymentLimit: undefined,
    retainDays: undefined,
    loanProvider: "contracts-api",
    popupHosts: { mainnet: changes.loanApiUrl, test: changes.loanApiUrl },
    loanNetwork: "test",
    loanInviteCode: "beta",
    rateLimits: { orders: 100_000, ordersDaily: 100_000, sockets: 100_000 },
    maxSocketsPerAddress: 100_000,
    trustProxy: false,
    drainSeconds: 0,
    metricsToken: undefined,
    sampleCatalogue: true,
    logLevel: "info",
    shopName: "Keepsats",
    shopContact: undefined,
    mail: { server: undefined, from: undefined },
    admin: undefined,
    webhooksPrivate: false,
    ...changes,
  };
}
