const systems = ["iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux"];

/** A name by which one recognises the device of a passkey, such as `Windows`. */
export function deviceName(userAgent: string): string {
  return systemName(userAgent) ?? "Passkey";
}

/** The system of a browser, such as `Windows`; `undefined` for one that is not known. */
function systemName(userAgent: string): string | undefined {
  const system = systems.find((name) => userAgent.includes(name));
  return system === "Macintosh" ? "Mac" : system;
}

/** Each browser by what only it names; those that also name others come first. */
const browsers: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

/** A browser in words, such as `Firefox on Linux`. @param userAgent `null` if it sent none */
export function browserWords(userAgent: string | null): string {
  if (userAgent === null) return "Unknown browser";
  const name = browsers.find(([mark]) => mark.test(userAgent))?.[1] ?? "Unknown browser";
  const system = systemName(userAgent);
  return system === undefined ? name : `${name} on ${system}`;
}
