import { expect, test } from "vitest";
import { requestIdOf } from "./request-id.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test.each(["4bf92f3577b34da6a3ce929d0e0e4736", "00-4bf9-00f0-01", "web_1.edge:7"])(
  "keeps the id %s set by a proxy",
  (id) => {
    expect(requestIdOf({ "x-request-id": id })).toBe(id);
  },
);

test.each(["", "ada@mail.example", "Ada Lovelace", 'a","level":60', "x".repeat(129), "é"])(
  "replaces the id %j, which may be personal, with a unique one",
  (id) => {
    expect(requestIdOf({ "x-request-id": id })).toMatch(uuid);
  },
);

test("requests without an id get unique ids", () => {
  expect(requestIdOf({})).toMatch(uuid);
  expect(requestIdOf({})).not.toBe(requestIdOf({}));
});
