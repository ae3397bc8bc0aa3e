import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Config, MIN_TOKEN_LENGTH, sharedToken } from "../../config/config.ts";
import { ConfigError } from "../../config/environment.ts";
import { codeOf, reasonOf } from "../../platform/errors.ts";
import { newSecret } from "../../platform/secrets.ts";

/** Read and write for the owner only. */
const OWNER_ONLY = 0o600;
const GROUP_AND_OTHERS = 0o077;

/**
 * `ADMIN_TOKEN`: from the environment, or from a file beside the database, which is created on
 * first use. If other users may read the file, its permissions are corrected; if they cannot be, it
 * is not used.
 *
 * @param onRepaired called with the path of a file whose permissions were corrected
 * @throws {ConfigError} if there is no usable token
 */
export function adminToken(
  config: Pick<Config, "adminToken" | "database">,
  onRepaired: (file: string) => void,
): string {
  if (config.adminToken !== undefined) return config.adminToken;
  if (config.database.kind === "postgres")
    throw new ConfigError(`ADMIN_TOKEN is not set, expected ${sharedToken}`);
  const file = join(dirname(config.database.file), "admin-token");
  const token = tokenFromFile(file, onRepaired);
  if (token.length >= MIN_TOKEN_LENGTH) return token;
  const got = token === "" ? "is empty" : `has a text of length ${token.length}`;
  throw new ConfigError(
    `ADMIN_TOKEN: ${file} ${got}, expected at least ${MIN_TOKEN_LENGTH} characters; delete the file to have one made`,
  );
}

function tokenFromFile(file: string, onRepaired: (file: string) => void): string {
  try {
    if (!existsSync(file)) writeNewToken(file);
    const token = readFileSync(file, "utf8").trim();
    if (isOpenToOthers(file)) {
      chmodSync(file, OWNER_ONLY);
      onRepaired(file);
    }
    return token;
  } catch (error) {
    throw new ConfigError(
      `ADMIN_TOKEN is not set, and ${file} cannot be used instead (${reasonOf(error)})`,
    );
  }
}

function isOpenToOthers(file: string): boolean {
  // Windows has no file modes.
  return process.platform !== "win32" && (statSync(file).mode & GROUP_AND_OTHERS) !== 0;
}

/** Writes a new token, unless another process has just written one. */
function writeNewToken(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, `${newSecret()}\n`, { mode: OWNER_ONLY, flag: "wx" });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
