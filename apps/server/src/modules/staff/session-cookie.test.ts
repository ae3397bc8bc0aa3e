import { expect, test } from "vitest";
import { sessionCookie } from "./session-cookie.ts";

const open = sessionCookie("http://localhost:3002");
const closed = sessionCookie("https://admin.shop.example");

test("over https the cookie belongs to this host alone and is never sent over plain http", () => {
  expect(closed.keep("s3cret")).toBe(
    "__Host-admin=s3cret; Max-Age=31536000; Path=/; HttpOnly; SameSite=Strict; Secure",
  );
  expect(closed.clear()).toBe(
    "__Host-admin=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure",
  );
});

test("on loopback the cookie has neither the prefix nor Secure, which browsers refuse without TLS", () => {
  expect(open.keep("s3cret")).toBe(
    "admin-3002=s3cret; Max-Age=31536000; Path=/; HttpOnly; SameSite=Strict",
  );
});

test("two admins on one machine have separate cookies", () => {
  const both = `${sessionCookie("http://localhost:4002").keep("other").split(";")[0]}; admin-3002=own`;
  expect(open.read(both)).toEqual(["own"]);
  expect(sessionCookie("http://localhost").keep("x")).toMatch(/^admin-80=x;/);
});

test.each([
  ["__Host-admin=one", ["one"]],
  ["a=b; __Host-admin=one; c=d", ["one"]],
  ["__Host-admin=one=two", ["one=two"]],
  [
    "__Host-admin=1; __Host-admin=; __Host-admin=2; __Host-admin=3; __Host-admin=4",
    ["1", "2", "3"],
  ],
  ["admin=one", []],
  ["x__Host-admin=one", []],
  ["__Host-admin", []],
  ["", []],
  [undefined, []],
])("of the header %j it reads %j", (header, secrets) => {
  expect(closed.read(header)).toEqual(secrets);
});
