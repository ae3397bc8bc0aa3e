import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";

/** An environment variable of the server. */
const serverSettingSchema = z.object({
  /** Such as `PUBLIC_URL`. */
  name: z.string(),
  /** `null` if it is not set, or secret. */
  value: z.nullable(z.string()),
  secret: z.boolean(),
  /** Whether it has a value, from the environment or by default. */
  set: z.boolean(),
});

/** The environment variables of the server, without secrets, and its release. */
export const serverSettingsSchema = z.object({
  /** The version of Keepsats. */
  version: z.string(),
  /**
   * The commit of the build, with `-dirty` if there were uncommitted changes; `unknown` without
   * Git.
   */
  commit: z.string(),
  /** The version of Node, such as `26.1.0`. */
  node: z.string(),
  database: z.enum(["sqlite", "postgres"]),
  bus: z.enum(["memory", "postgres", "redis"]),
  /** When the process that answers was started. */
  started_at: secondsAsMilliseconds,
  settings: z.array(serverSettingSchema),
});
export type ServerSettingsAnswer = z.output<typeof serverSettingsSchema>;
export type Release = Pick<ServerSettingsAnswer, "version" | "commit">;
