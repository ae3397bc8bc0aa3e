import { expect, test } from "vitest";
import { addressFault, isPublicAddress } from "./public-address.ts";

const publicOnes = [
  "1.1.1.1",
  "93.184.215.14",
  "172.32.0.1",
  "2606:4700:4700::1111",
  "2a00:1450:4001::1",
];
const others = {
  "unspecified and broadcast": ["0.0.0.0", "0.1.2.3", "255.255.255.255", "::"],
  loopback: ["127.0.0.1", "127.255.0.9", "::1"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1"],
  "link-local": ["169.254.169.254", "fe80::1", "fe80::1%eth0", "fec0::1"],
  shared: ["100.64.0.1", "100.127.255.255"],
  multicast: ["224.0.0.1", "239.1.1.1", "ff02::1"],
  "reserved and for documentation": [
    "192.0.2.1",
    "198.18.0.1",
    "203.0.113.9",
    "240.0.0.1",
    "2001:db8::1",
    "3fff::1",
  ],
  "IPv4 in IPv6": [
    "::ffff:127.0.0.1",
    "::ffff:1.1.1.1",
    "::127.0.0.1",
    "::1.1.1.1",
    "::ffff:0:10.0.0.1",
  ],
  "translated or tunnelled": [
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "2001:0:1::1",
  ],
  "not assigned to the public network": ["100::1", "4000::1", "5f00::1", "8000::1"],
  "no address": ["", "localhost", "1.2.3", "1.1.1.1.1", "::g", "1.1.1.1/8", "010.1.1.1"],
};

test("addresses of the public network are public", () => {
  expect(publicOnes.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test.each(Object.entries(others))("not public: %s", (_, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test("the URL itself tells some private addresses, however they are written", () => {
  const refused = [
    ...[
      "http://books.example",
      "https://localhost",
      "https://LOCALHOST.",
      "https://a.localhost:8443",
    ],
    ...[
      "https://127.1",
      "https://2130706433",
      "https://0x7f.0.0.1",
      "https://0177.0.0.1",
      "https://①②⑦.0.0.1",
    ],
    ...[
      "https://[::1]",
      "https://[::ffff:127.0.0.1]",
      "https://0",
      "https://192.168.0.1:443/hooks",
    ],
  ];
  expect(refused.filter((url) => addressFault(new URL(url)) === undefined)).toEqual([]);
  const taken = [
    "https://books.example:8443/hooks?a=b",
    "https://bücher.example",
    "https://1.1.1.1",
    "https://[2606:4700::1]",
  ];
  expect(taken.filter((url) => addressFault(new URL(url)) !== undefined)).toEqual([]);
});
