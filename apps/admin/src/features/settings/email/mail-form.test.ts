import { expect, test } from "vitest";
import { patchOfServer, senderFormSchema, serverFormSchema, serverValues } from "./mail-form.ts";

const typed = {
  host: " smtp.mail.example ",
  port: "465",
  encryption: "tls",
  user: "shop",
  password: "s3cret",
} as const;

test("a typed mail server is sent with its login, and without a user and a password with none", () => {
  const server = { host: "smtp.mail.example", port: 465, encryption: "tls" };
  expect(patchOfServer(serverFormSchema.parse(typed))).toEqual({
    server: { ...server, login: { user: "shop", password: "s3cret" } },
  });
  expect(patchOfServer(serverFormSchema.parse({ ...typed, user: " ", password: "" }))).toEqual({
    server: { ...server, login: null },
  });
});

test.each([
  [{ password: "" }, "password"],
  [{ user: "" }, "user"],
  [{ port: "" }, "port"],
  [{ port: "46x" }, "port"],
  [{ port: "70000" }, "port"],
  [{ host: "" }, "host"],
])("a mail server with %j has an error at its %s", (changes, field) => {
  const { error } = serverFormSchema.safeParse({ ...typed, ...changes });
  expect(error?.issues.map(({ path }) => path)).toEqual([[field]]);
  expect(error?.issues[0]?.message).toMatch(/^must /);
});

test("the form of a stored mail server has no password, and that of a sender sends an empty name as none", () => {
  const stored = {
    source: "setting",
    host: "a.example",
    port: 25,
    encryption: "starttls",
  } as const;
  expect(serverValues({ ...stored, user: "shop" })).toMatchObject({ user: "shop", password: "" });
  expect(senderFormSchema.parse({ name: " ", address: "orders@shop.example" })).toEqual({
    name: null,
    address: "orders@shop.example",
  });
});
