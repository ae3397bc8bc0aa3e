import type { Machine } from "@keepsats/protocol";

/** The value of a setting of the machine, or what is known of it. */
export function settingWords({ value, secret, set }: Machine["settings"][number]): string {
  if (!set) return "not set";
  if (secret) return "set, secret";
  return value === null || value === "" ? "empty" : value;
}
