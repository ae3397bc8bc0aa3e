import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";

/** A setting of the machine. */
const machineSettingSchema = z.object({
  /** The name of its environment variable, such as `PUBLIC_URL`. */
  name: z.string(),
  /** `null` if it is not set, or secret. */
  value: z.nullable(z.string()),
  secret: z.boolean(),
  /** Whether it has a value: one of the environment, or its default. */
  set: z.boolean(),
});

/**
 * The machine's settings, without secrets, and what the server that answers runs on. Once decoded,
 * times are in milliseconds.
 */
export const machineSchema = z.object({
  /** The version of Keepsats. */
  version: z.string(),
  /**
   * The commit of the build, with `-dirty` if there were uncommitted changes; `unknown` if the
   * build found none.
   */
  commit: z.string(),
  /** The version of Node, such as `26.1.0`. */
  node: z.string(),
  database: z.enum(["sqlite", "postgres"]),
  bus: z.enum(["memory", "postgres", "redis"]),
  /** When the process that answers was started. */
  started_at: secondsAsMilliseconds,
  settings: z.array(machineSettingSchema),
});
export type Machine = z.output<typeof machineSchema>;
export type Release = Pick<Machine, "version" | "commit">;
