import type { FieldError } from "@keepsats/domain";
import {
  type MailSettingsAnswer,
  type MailSettingsPatch,
  mailSenderSchema,
  mailServerSchema,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { isLoopback } from "../../config/environment.ts";
import type { MailConfig, MailEnvironment, MailServerConfig } from "../../config/mail-config.ts";
import type { Queries } from "../../platform/database/database.ts";
import { readValue, writeValue } from "../../platform/database/key-values.ts";
import { createCachedValue } from "../../platform/events/cached-value.ts";
import type { Platform } from "../../platform/platform.ts";
import { Refusal } from "../../platform/refusal.ts";
import { checkMailServer } from "./smtp.ts";

/**
 * The name of the stored settings among the key-values. They have the password, so they are not
 * with the shop settings, whose API returns every value.
 */
const NAME = "mail settings";

/** The value of {@link NAME}, as JSON. */
const storedSchema = z.object({
  sender: z.nullable(mailSenderSchema),
  server: z.nullable(mailServerSchema),
});
type Stored = z.output<typeof storedSchema>;

export type MailSettings = Awaited<ReturnType<typeof createMailSettings>>;

/** Sender and mail server, from the environment or otherwise as owners have set them. */
export async function createMailSettings(
  platform: Pick<Platform, "database" | "bus" | "onError" | "rereadInterval">,
  environment: MailEnvironment,
) {
  const { database, bus } = platform;
  const stored = await createCachedValue({
    ...platform,
    topic: "shop",
    read: () => readStored(database.db),
  });

  /** Returns `undefined` if the shop sends no email: it has no mail server or no sender. */
  function current(): MailConfig | undefined {
    const { sender, server: storedServer } = stored.current();
    const server = environment.server ?? (storedServer && connectionTo(storedServer));
    const from = environment.from ?? (sender && { ...sender, name: sender.name ?? undefined });
    return server && from ? { server, from } : undefined;
  }

  /** The settings of the admin API, without the password. */
  const view = () => settingsAnswer(environment, stored.current());

  return {
    current,
    sendsEmail: () => current() !== undefined,
    view,
    /** Connects to a new mail server and signs in before anything is stored. */
    async change(patch: MailSettingsPatch): Promise<MailSettingsAnswer | Refusal> {
      const errors = fixedFields(environment, patch);
      if (errors.length > 0) return new Refusal("invalid", { errors });
      const { server } = patch;
      const fault = server ? await checkMailServer(connectionTo(server)) : undefined;
      if (fault !== undefined)
        return new Refusal("mail_server_refused", {
          detail: `Nothing was stored. The mail server could not be used: ${fault}`,
        });
      await database.inTransaction(async (unit) => {
        await unit.lock(NAME);
        const before = await readStored(unit.db);
        const { sender = before.sender, server = before.server } = patch;
        const changed: Stored = { sender, server };
        await writeValue(unit.db, NAME, JSON.stringify(changed));
        unit.afterCommit(() => bus.publish({ topic: "shop" }));
      });
      await stored.caughtUp();
      return view();
    },
    close: stored.close,
  };
}

/** A value that this version cannot parse counts as not set, such as one of a newer version. */
async function readStored(db: Queries): Promise<Stored> {
  const json = await readValue(db, NAME);
  const parsed = storedSchema.safeParse(json === undefined ? undefined : JSON.parse(json));
  return parsed.data ?? { sender: null, server: null };
}

function connectionTo(server: NonNullable<Stored["server"]>): MailServerConfig {
  const { host, port, encryption, login } = server;
  const isLocal = isLoopback(host) || isLoopback(`[${host}]`);
  const secure = encryption === "tls";
  return { host, port, secure, login: login ?? undefined, isLoopback: isLocal };
}

function settingsAnswer({ from, server }: MailEnvironment, stored: Stored): MailSettingsAnswer {
  return {
    sender:
      from === undefined
        ? stored.sender && { source: "setting", ...stored.sender }
        : { source: "environment", name: from.name ?? null, address: from.address },
    server:
      server === undefined
        ? stored.server && {
            source: "setting",
            host: stored.server.host,
            port: stored.server.port,
            encryption: stored.server.encryption,
            user: stored.server.login?.user ?? null,
          }
        : {
            source: "environment",
            host: server.host,
            port: server.port,
            encryption: server.secure ? "tls" : "starttls",
            user: null,
          },
  };
}

function fixedFields({ from, server }: MailEnvironment, patch: MailSettingsPatch): FieldError[] {
  const setBy = (path: string, variable: string) => ({
    path,
    message: `cannot change here: the server's environment variable ${variable} sets it`,
  });
  return [
    ...(patch.sender !== undefined && from !== undefined ? [setBy("sender", "MAIL_FROM")] : []),
    ...(patch.server !== undefined && server !== undefined ? [setBy("server", "SMTP_URL")] : []),
  ];
}
