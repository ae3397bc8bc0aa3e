import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Config, ConfigError, SHORTEST_TOKEN, sharedToken } from "../config.ts";
import { codeOf, reasonOf } from "../errors.ts";

/** Readable and writable by its owner alone. */
const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/**
 * The merchant's token: the one that was set, or the one kept beside the database, made on first use. A kept one that
 * others may read is taken from them.
 *
 * @param onRepaired is told of the file that others could read until now
 * @throws {ConfigError} when there is none, or it cannot be used
 */
export function merchantToken(
  config: Pick<Config, "merchantToken" | "database">,
  onRepaired: (file: string) => void,
): string {
  if (config.merchantToken !== undefined) return config.merchantToken;
  if (config.database.kind === "postgres")
    throw new ConfigError(`MERCHANT_TOKEN: is not set, takes ${sharedToken}`);
  const file = join(dirname(config.database.file), "merchant-token");
  const token = keptToken(file, onRepaired);
  if (token.length >= SHORTEST_TOKEN) return token;
  const got = token === "" ? "is empty" : `has a text of length ${token.length}`;
  throw new ConfigError(
    `MERCHANT_TOKEN: ${file} ${got}, takes at least ${SHORTEST_TOKEN} characters; delete the file to have one made`,
  );
}

/** Reads the token's file, and makes it when there is none. */
function keptToken(file: string, onRepaired: (file: string) => void): string {
  try {
    if (!existsSync(file)) makeToken(file);
    if (isOpenToOthers(file)) {
      chmodSync(file, OWNER_ALONE);
      onRepaired(file);
    }
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new ConfigError(
      `MERCHANT_TOKEN: is not set, and ${file} cannot be used instead (${reasonOf(error)})`,
    );
  }
}

function isOpenToOthers(file: string): boolean {
  // Windows has no such modes.
  if (process.platform === "win32") return false;
  const stats = statSync(file);
  return stats.isFile() && (stats.mode & OTHERS) !== 0;
}

/** Writes a new token, unless another process has just done so. */
function makeToken(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, `${randomBytes(32).toString("base64url")}\n`, { mode: OWNER_ALONE, flag: "wx" });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
