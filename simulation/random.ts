import { createHash } from "node:crypto";

/** Random choices that depend only on the seed. */
export interface Random {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** Whether something happens that has this probability, from 0 to 1. */
  chance(probability: number): boolean;
  /** One of a list that is not empty. */
  pick<const T>(list: readonly [T, ...T[]]): T;
}

/**
 * Creates the random choices of a seed. The generator is sfc32, started from the SHA-256 hash of
 * the seed.
 */
export function createRandom(seed: string): Random {
  const hash = createHash("sha256").update(seed).digest();
  const state = new Uint32Array([0, 4, 8, 12].map((offset) => hash.readUInt32LE(offset)));

  function next(): number {
    const [a = 0, b = 0, c = 0, counter = 0] = state;
    const sum = (a + b + counter) >>> 0;
    state.set([
      b ^ (b >>> 9),
      (c + (c << 3)) >>> 0,
      (((c << 21) | (c >>> 11)) + sum) >>> 0,
      counter + 1,
    ]);
    return sum / 2 ** 32;
  }

  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)] ?? list[0],
  };
}
