/** The variables of a process, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A setting is missing or invalid. The message gives its name, its value and the values that it
 * takes.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Throws the error of a setting. @param takes what the setting takes, for the message */
export function refuse(name: string, got: string | undefined, takes: string): never {
  throw new ConfigError(
    `${name}: ${got === undefined ? "is not set" : `got ${JSON.stringify(got)}`}, takes ${takes}`,
  );
}

/** Reads a setting without the blanks around it; `undefined` if it is not set or empty. */
export function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

/** Reads a whole number from `least` to `most`. */
export function integer(
  env: Environment,
  name: string,
  otherwise: number,
  least: number,
  most: number,
): number {
  const value = text(env, name);
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  return refuse(name, value, `a whole number from ${least} to ${most}`);
}

/** Reads a URL without user, query and fragment. @returns it without a slash at its end */
export function httpUrl(env: Environment, name: string, otherwise?: string): string {
  const value = text(env, name) ?? otherwise;
  const takes = "a URL that starts with http:// or https://";
  if (value === undefined || !URL.canParse(value)) return refuse(name, value, takes);
  const url = new URL(value);
  if (url.protocol !== "http:" && url.protocol !== "https:") return refuse(name, value, takes);
  if (url.username !== "" || url.search !== "" || url.hash !== "") {
    return refuse(name, redacted(value), "a URL without user, query or fragment");
  }
  return url.href.replace(/\/$/, "");
}

/** Reads an origin, such as `https://shop.example`. */
export function origin(env: Environment, name: string, otherwise?: string): string {
  const url = new URL(httpUrl(env, name, otherwise));
  if (url.pathname !== "/" || url.search !== "") {
    return refuse(name, text(env, name), "an origin without a path, such as https://shop.example");
  }
  return url.origin;
}

/** Reads a setting that is `on` or, by default, `off`. */
export function isOn(env: Environment, name: string): boolean {
  const value = text(env, name) ?? "off";
  if (value === "on" || value === "off") return value === "on";
  return refuse(name, value, "on or off");
}

/** A URL without its user and password, for messages. */
export function redacted(url: string): string {
  return url.replace(/\/\/[^@/]*@/, "//…@");
}

/** Whether the host name of a URL is of this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
