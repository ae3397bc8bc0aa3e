import * as z from "zod/mini";
import { emailAddress, singleLine } from "./texts.ts";

/** The sender of all emails. Without a name, the shop's name is used. */
export const mailSenderSchema = z.strictObject({
  name: z.nullable(singleLine(60)),
  address: emailAddress(),
});

/**
 * `tls`: the connection starts with TLS, usually on port 465. `starttls`: it upgrades to TLS if the
 * server offers that, usually on port 587; with a password it must.
 */
const mailEncryptionSchema = z.enum(["tls", "starttls"], { error: "must be tls or starttls" });

const hostSchema = z.string().check(
  z.trim(),
  z.maxLength(253, "must have at most 253 characters"),
  z.refine((host) => /^[\dA-Za-z.:-]+$/.test(host), {
    error: "must be the name or the IP address of a mail server, such as smtp.mail.example",
  }),
  z.meta({ pattern: "^\\s*[\\dA-Za-z.:-]+\\s*$", examples: ["smtp.mail.example"] }),
);

export const mailLoginSchema = z.strictObject({
  user: singleLine(320),
  password: z.string().check(
    z.minLength(1, "must not be empty"),
    z.maxLength(1_000, "must have at most 1000 characters"),
    z.refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), {
      error: "must not have control characters",
    }),
  ),
});

const PORT_ERROR = "must be a whole number from 1 to 65535";

/** A mail server. `login` is `null` for a server without authentication. */
export const mailServerSchema = z.strictObject({
  host: hostSchema,
  port: z.int(PORT_ERROR).check(z.minimum(1, PORT_ERROR), z.maximum(65_535, PORT_ERROR)),
  encryption: mailEncryptionSchema,
  login: z.nullable(mailLoginSchema),
});

/** The settings to change; `null` removes one. */
export const mailSettingsPatchSchema = z.strictObject({
  sender: z.optional(z.nullable(mailSenderSchema)),
  server: z.optional(z.nullable(mailServerSchema)),
});
export type MailSettingsPatch = z.output<typeof mailSettingsPatchSchema>;

/** Environment variables win, and cannot be changed here. */
const sourceSchema = z.enum(["environment", "setting"]);

/**
 * Sender and mail server in use; `null` for none. Without both, the shop sends no email. `user` is
 * `null` without authentication, and for a server of the environment. The password is in no answer.
 */
export const mailSettingsSchema = z.object({
  sender: z.nullable(
    z.object({ source: sourceSchema, name: z.nullable(z.string()), address: z.string() }),
  ),
  server: z.nullable(
    z.object({
      source: sourceSchema,
      host: z.string(),
      port: z.int(),
      encryption: mailEncryptionSchema,
      user: z.nullable(z.string()),
    }),
  ),
});
export type MailSettingsAnswer = z.output<typeof mailSettingsSchema>;
