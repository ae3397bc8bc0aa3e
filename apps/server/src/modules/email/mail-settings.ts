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
import type { Database, Queries } from "../../platform/database/database.ts";
import { readValue, writeValue } from "../../platform/database/key-values.ts";
import { createCachedValue, type RefreshOptions } from "../../platform/events/cached-value.ts";
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

/**
 * The outcome of a change; only `stored` changes anything. `invalid`: the environment sets it.
 * `refused`: the mail server's answer to the check, or why there was none.
 */
type MailSettingsOutcome =
  | { readonly kind: "stored" }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] }
  | { readonly kind: "refused"; readonly answer: string };

/** Sender and mail server, from the environment or otherwise as owners have set them. */
export interface MailSettings {
  /** `undefined` if the shop sends no email. */
  current(): MailConfig | undefined;
  /** Whether the shop sends email: it has a mail server and a sender. */
  sendsEmail(): boolean;
  /** The settings of the admin API, without the password. */
  view(): MailSettingsAnswer;
  /** Connects to a new mail server and signs in before anything is stored. */
  change(patch: MailSettingsPatch): Promise<MailSettingsOutcome>;
  close(): void;
}

interface Dependencies extends RefreshOptions {
  readonly database: Database;
  readonly environment: MailEnvironment;
}

export async function createMailSettings({
  database,
  environment,
  ...refresh
}: Dependencies): Promise<MailSettings> {
  const { bus } = refresh;
  const stored = await createCachedValue({
    ...refresh,
    topic: "shop",
    read: () => readStored(database.db),
  });

  function current(): MailConfig | undefined {
    const { sender, server } = stored.current();
    const config = {
      server: environment.server ?? (server === null ? undefined : connectionTo(server)),
      from: environment.from ?? (sender === null ? undefined : fromOf(sender)),
    };
    return isComplete(config) ? config : undefined;
  }

  return {
    current,
    sendsEmail: () => current() !== undefined,
    view: () => settingsAnswer(environment, stored.current()),
    async change(patch) {
      const errors = fixedFields(environment, patch);
      if (errors.length > 0) return { kind: "invalid", errors };
      const { server } = patch;
      const refusal = server ? await checkMailServer(connectionTo(server)) : undefined;
      if (refusal !== undefined) return { kind: "refused", answer: refusal };
      await database.inTransaction(async (unit) => {
        await unit.lock(NAME);
        const before = await readStored(unit.db);
        const { sender = before.sender, server = before.server } = patch;
        const changed: Stored = { sender, server };
        await writeValue(unit.db, NAME, JSON.stringify(changed));
        unit.afterCommit(() => bus.publish({ topic: "shop" }));
      });
      await stored.caughtUp();
      return { kind: "stored" };
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

function connectionTo({
  host,
  port,
  encryption,
  login,
}: NonNullable<Stored["server"]>): MailServerConfig {
  const isLocal = isLoopback(host) || isLoopback(`[${host}]`);
  return {
    host,
    port,
    secure: encryption === "tls",
    login: login ?? undefined,
    isLoopback: isLocal,
  };
}

function fromOf({ name, address }: NonNullable<Stored["sender"]>): MailConfig["from"] {
  return { name: name ?? undefined, address };
}

function isComplete(config: MailEnvironment): config is MailConfig {
  return config.server !== undefined && config.from !== undefined;
}

function settingsAnswer({ from, server }: MailEnvironment, stored: Stored): MailSettingsAnswer {
  return {
    sender:
      from === undefined
        ? stored.sender && { source: "setting", ...stored.sender }
        : { source: "environment", name: from.name ?? null, address: from.address },
    server:
      server === undefined
        ? stored.server && serverAnswer(stored.server)
        : {
            source: "environment",
            host: server.host,
            port: server.port,
            encryption: server.secure ? "tls" : "starttls",
            user: null,
          },
  };
}

function serverAnswer({ host, port, encryption, login }: NonNullable<Stored["server"]>) {
  return { source: "setting", host, port, encryption, user: login?.user ?? null } as const;
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
