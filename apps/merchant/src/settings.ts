import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandFailed, exitCodes } from "./exit.ts";

/** The URL of the shop, and the merchant's token. */
export interface Settings {
  readonly shopUrl: string;
  readonly token: string;
}

/** The file with the token, beside the shop's database. */
function tokenFileOf(env: Readonly<Record<string, string | undefined>>): string {
  const database = /^file:(?:\/\/(?=\/))?(.+)$/.exec(
    env.DATABASE_URL || "file:data/keepsats.db",
  )?.[1];
  return join(dirname(database ?? "data/keepsats.db"), "merchant-token");
}

/** Reads the settings from an environment. @throws {CommandFailed} if there is no token */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const shopUrl = env.SHOP_URL || `http://localhost:${env.PORT || "3000"}`;
  if (!URL.canParse(shopUrl) || !/^https?:$/.test(new URL(shopUrl).protocol)) {
    throw new CommandFailed(
      exitCodes.usage,
      `SHOP_URL: got "${shopUrl}", takes a URL such as https://shop.example`,
    );
  }
  return {
    shopUrl: shopUrl.replace(/\/$/, ""),
    token: env.MERCHANT_TOKEN || readToken(tokenFileOf(env)),
  };
}

function readToken(tokenFile: string): string {
  try {
    return readFileSync(tokenFile, "utf8").trim();
  } catch {
    throw new CommandFailed(
      exitCodes.unreachable,
      `MERCHANT_TOKEN: is not set, and there is no ${tokenFile} (the shop makes it on its first start)`,
    );
  }
}
