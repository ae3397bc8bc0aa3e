import { readFileSync } from "node:fs";
import { CommandFailed, exitCodes } from "./exit.ts";

/** Which shop the commands talk to, and the token that lets them. */
export interface Settings {
  readonly shopUrl: string;
  readonly token: string;
}

const tokenFile = "data/merchant-token";

/** Reads the settings from an environment. @throws {CommandFailed} when there is no token */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const shopUrl = env.SHOP_URL || `http://localhost:${env.PORT || "3000"}`;
  if (!URL.canParse(shopUrl) || !/^https?:$/.test(new URL(shopUrl).protocol)) {
    throw new CommandFailed(
      exitCodes.usage,
      `SHOP_URL: got "${shopUrl}", takes a URL such as https://shop.example`,
    );
  }
  return { shopUrl: shopUrl.replace(/\/$/, ""), token: env.MERCHANT_TOKEN || readToken() };
}

function readToken(): string {
  try {
    return readFileSync(tokenFile, "utf8").trim();
  } catch {
    throw new CommandFailed(
      exitCodes.unreachable,
      `MERCHANT_TOKEN: is not set, and there is no ${tokenFile} (the shop makes it on its first start)`,
    );
  }
}
