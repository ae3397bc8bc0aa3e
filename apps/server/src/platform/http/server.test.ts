import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { clientAddress, requestIdOf, trustedProxies } from "./server.ts";

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

function requestFrom(address: string, forwarded: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: address });
  const request = new IncomingMessage(socket);
  request.headers["x-forwarded-for"] = forwarded;
  return request;
}

test.each<[string, false | number | string, string]>([
  ["no proxy is trusted", false, "10.0.0.1"],
  ["one hop is trusted", 1, "2.2.2.2"],
  ["a network is trusted", "10.0.0.0/8", "2.2.2.2"],
  ["another network is trusted", "192.168.0.0/16", "10.0.0.1"],
])("when %s, a forged header does not change the client's address", (_, setting, address) => {
  const addressOf = clientAddress(trustedProxies(setting));
  expect(addressOf(requestFrom("10.0.0.1", "1.1.1.1, 2.2.2.2"))).toBe(address);
});

test.each<[string, number | string, string]>([
  ["jo@home.example", 1, "10.0.0.1"],
  ["1.1.1.1, jo@home.example", 1, "10.0.0.1"],
  ["1.1.1.1, 2.2.2.2:443", 1, "10.0.0.1"],
  ["unknown, 2.2.2.2", 1, "2.2.2.2"],
  ["1.1.1.1, unknown, 2.2.2.2", 3, "2.2.2.2"],
  ["1.1.1.1, unknown, 10.0.0.2", "10.0.0.0/8", "10.0.0.2"],
  ["", 1, "10.0.0.1"],
  [",", 1, "10.0.0.1"],
  ["2001:db8::1", 1, "2001:db8::1"],
])(
  "a forwarded value that is not an IP address is dropped with all values before it: %j",
  (forwarded, setting, address) => {
    expect(clientAddress(trustedProxies(setting))(requestFrom("10.0.0.1", forwarded))).toBe(
      address,
    );
  },
);
