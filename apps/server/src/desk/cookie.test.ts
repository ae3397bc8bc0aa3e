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
  expect(open.keep("s3cret")).toBe("desk=s3cret; Max-Age=31536000; Path=/; HttpOnly; SameSite=Strict");
});

test.each([
  ["__Host-desk=one", "one"],
  ["a=b; __Host-desk=one; c=d", "one"],
  ["__Host-desk=one=two", "one=two"],
  ["desk=one", ""],
  ["x__Host-desk=one", ""],
  ["__Host-desk", ""],
  ["", ""],
  [undefined, ""],
])("of the header %j it reads %j", (header, secret) => {
  expect(closed.read(header)).toBe(secret);
});
