/** The variables of a process, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable is missing or invalid. The message has its name, its value and the valid values. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Refuses a value. The message has it without the login of a URL.
 *
 * @param expected the valid values, for the message
 */
export function refuse(name: string, got: string | undefined, expected: string): never {
  const shown = JSON.stringify(got?.replace(/\/\/[^@/]*@/, "//…@"));
  throw new ConfigError(
    `${name}${got === undefined ? " is not set" : `: got ${shown}`}, expected ${expected}`,
  );
}

/** Reads a variable and trims it; `undefined` if it is not set or empty. */
export function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

/**
 * Reads a variable that need not be set.
 *
 * @param parse returns `undefined` for an invalid value
 * @param expected the valid values, for the message
 */
export function optional<Value>(
  env: Environment,
  name: string,
  parse: (value: string) => Value | undefined,
  expected: string,
): Value | undefined {
  const value = text(env, name);
  return value === undefined ? undefined : (parse(value) ?? refuse(name, value, expected));
}

export function integer(
  env: Environment,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const value = text(env, name);
  if (value === undefined) return fallback;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= min && number <= max) return number;
  return refuse(name, value, `a whole number from ${min} to ${max}`);
}

/** Reads a URL without user, query and fragment. Returns the URL without a trailing slash. */
export function httpUrl(env: Environment, name: string, fallback?: string): string {
  const value = text(env, name) ?? fallback;
  const expected = "a URL that starts with http:// or https://";
  if (value === undefined || !URL.canParse(value)) return refuse(name, value, expected);
  const url = new URL(value);
  if (url.protocol !== "http:" && url.protocol !== "https:") return refuse(name, value, expected);
  if (url.username !== "" || url.search !== "" || url.hash !== "") {
    return refuse(name, value, "a URL without user, query or fragment");
  }
  return url.href.replace(/\/$/, "");
}

/** Reads an origin, such as `https://shop.example`. */
export function origin(env: Environment, name: string, fallback?: string): string {
  const url = new URL(httpUrl(env, name, fallback));
  if (url.pathname !== "/" || url.search !== "") {
    return refuse(name, text(env, name), "an origin without a path, such as https://shop.example");
  }
  return url.origin;
}

/** Reads a variable that is `on` or, by default, `off`. */
export function isOn(env: Environment, name: string): boolean {
  const value = text(env, name) ?? "off";
  if (value === "on" || value === "off") return value === "on";
  return refuse(name, value, "on or off");
}

/** Whether the host name of a URL is a loopback address. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
