import { createHash } from "node:crypto";

/** The log of a simulation. */
export interface History {
  /** @param at in milliseconds since the simulation began */
  add(at: number, text: string): void;
  readonly lines: readonly string[];
  /**
   * The first characters of the SHA-256 hash of all lines, for comparing histories byte by byte.
   */
  hash(): string;
}

const DAY = 24 * 3_600_000;

export function createHistory(): History {
  const lines: string[] = [];
  return {
    lines,
    add(at, text) {
      const day = Math.floor(at / DAY) + 1;
      const time = new Date(at % DAY).toISOString().slice(11, 23);
      lines.push(`day ${day} ${time} ${text}`);
    },
    hash: () => createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 16),
  };
}
