import { expect, test } from "vitest";
import { sessionCookie } from "./cookie.ts";

const open = sessionCookie("http://localhost:3002");
const closed = sessionCookie("https://desk.shop.example");

test("over https the cookie belongs to this host alone and is never sent over plain http", () => {
  expect(closed.keep("s3cret")).toBe(
    "__Host-desk=s3cret; Max-Age=31536000; Path=/; HttpOnly; SameSite=Strict; Secure",
  );
  expect(closed.clear()).toBe("__Host-desk=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure");
});

test("on this machine it has neither the prefix nor Secure, which browsers refuse without TLS", () => {
  expect(open.keep("s3cret")).toBe(
    "desk-3002=s3cret; Max-Age=31536000; Path=/; HttpOnly; SameSite=Strict",
  );
});

test("two desks on this machine have cookies of their own", () => {
  const both = `${sessionCookie("http://localhost:4002").keep("other").split(";")[0]}; desk-3002=own`;
  expect(open.read(both)).toEqual(["own"]);
  expect(sessionCookie("http://localhost").keep("x")).toMatch(/^desk-80=x;/);
});

test.each([
  ["__Host-desk=one", ["one"]],
  ["a=b; __Host-desk=one; c=d", ["one"]],
  ["__Host-desk=one=two", ["one=two"]],
  ["__Host-desk=1; __Host-desk=; __Host-desk=2; __Host-desk=3; __Host-desk=4", ["1", "2", "3"]],
  ["desk=one", []],
  ["x__Host-desk=one", []],
  ["__Host-desk", []],
  ["", []],
  [undefined, []],
])("of the header %j it reads %j", (header, secrets) => {
  expect(closed.read(header)).toEqual(secrets);
});
