import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { clientAddress, trustedProxies } from "./client-address.ts";

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
