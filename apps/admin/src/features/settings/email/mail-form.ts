import {
  type MailSettingsAnswer,
  type MailSettingsPatch,
  mailLoginSchema,
  mailSenderSchema,
  mailServerSchema,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { emptyAs } from "../../../lib/forms/form-schema.ts";

type Server = NonNullable<MailSettingsAnswer["server"]>;
export type MailEncryption = Server["encryption"];

const { address, name } = mailSenderSchema.shape;
const { host, port, encryption } = mailServerSchema.shape;
const { user, password } = mailLoginSchema.shape;

export const senderLabels = { name: "Sender name", address: "Sender address" } as const;
export const senderFormSchema = z.object({ name: emptyAs(null, name), address });

export function senderValues(sender: MailSettingsAnswer["sender"]) {
  return { name: sender?.name ?? "", address: sender?.address ?? "" };
}

export const serverLabels = {
  host: "Server",
  port: "Port",
  encryption: "Encryption",
  user: "User",
  password: "Password",
} as const;

/** The port is typed. User and password are both set, or neither. */
export const serverFormSchema = z
  .object({
    host,
    port: z.pipe(
      z.transform((typed: string) => (typed.trim() === "" ? typed : Number(typed))),
      port,
    ),
    encryption,
    user: emptyAs(null, z.nullable(user)),
    password: emptyAs(null, z.nullable(password)),
  })
  .check(
    z.check(({ value: { user, password }, issues }) => {
      if ((user === null) === (password === null)) return;
      const path = [user === null ? "user" : "password"];
      issues.push({ code: "custom", path, message: "must not be empty", input: null });
    }),
  );

/** The password is never known. */
export function serverValues(server: MailSettingsAnswer["server"]) {
  return {
    host: server?.host ?? "",
    port: String(server?.port ?? 465),
    encryption: server?.encryption ?? ("tls" as const),
    user: server?.user ?? "",
    password: "",
  };
}

export function patchOfServer({
  user,
  password,
  ...server
}: z.output<typeof serverFormSchema>): MailSettingsPatch {
  const login = user === null || password === null ? null : { user, password };
  return { server: { ...server, login } };
}

export function senderText({ name, address }: NonNullable<MailSettingsAnswer["sender"]>): string {
  return name === null ? address : `${name} <${address}>`;
}

export function serverText({ host, port, encryption }: Server): string {
  return `${host}, port ${port}, ${encryption === "tls" ? "TLS" : "STARTTLS"}`;
}
