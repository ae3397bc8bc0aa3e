const systems = ["iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux"];

/** A name by which one recognises the device of a passkey, such as `Windows`. */
export function deviceName(userAgent: string): string {
  return systemName(userAgent) ?? "Passkey";
}

/** The system of a browser, such as `Windows`; `undefined` for one that is not known. */
export function systemName(userAgent: string): string | undefined {
  const system = systems.find((name) => userAgent.includes(name));
  return system === "Macintosh" ? "Mac" : system;
}
