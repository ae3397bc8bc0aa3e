import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Config, SHORTEST_TOKEN, sharedToken } from "../config.ts";
import { ConfigError } from "../environment.ts";
import { codeOf, reasonOf } from "../errors.ts";

/** Readable and writable by its owner alone. */
const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/**
 * The merchant's token: the setting, or the content of a file beside the database, which is created
 * on first use. If other users may read the file, its permissions are corrected.
 *
 * @param onRepaired called with the path of a file whose permissions were corrected
 * @throws {ConfigError} if there is no usable token
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

/** Reads the token's file, and creates it if there is none. */
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
  // Windows has no file modes.
  if (process.platform === "win32") return false;
  const stats = statSync(file);
  return stats.isFile() && (stats.mode & OTHERS) !== 0;
}

/** Writes a new token, unless another process has written one meanwhile. */
function makeToken(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, `${randomBytes(32).toString("base64url")}\n`, {
      mode: OWNER_ALONE,
      flag: "wx",
    });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
