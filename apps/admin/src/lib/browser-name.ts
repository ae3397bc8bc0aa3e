const systems = ["iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux"];

/** A default name for a passkey made on this device, such as `Windows`. */
export function deviceName(userAgent: string): string {
  return systemName(userAgent) ?? "Passkey";
}

function systemName(userAgent: string): string | undefined {
  const system = systems.find((name) => userAgent.includes(name));
  return system === "Macintosh" ? "Mac" : system;
}

/** User agents contain the names of other browsers, so the most specific pattern comes first. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

/** The browser of a session, such as `Firefox on Linux`. */
export function browserLabel(userAgent: string | null): string {
  if (userAgent === null) return "Unknown browser";
  const name = browsers.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "Unknown browser";
  const system = systemName(userAgent);
  return system === undefined ? name : `${name} on ${system}`;
}
