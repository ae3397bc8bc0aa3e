import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { createResolveByDns, isPublicAddress, resolvePublic, urlFault } from "./ssrf-protection.ts";

const answers = (...addresses: string[]) => {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { asked, resolve };
};
const url = new URL("https://books.example:8443/hooks");

test("a host is resolved once, to its public addresses", async () => {
  const { asked, resolve } = answers("127.0.0.1", "1.1.1.1", "::ffff:10.0.0.1", "2606:4700::1");
  expect(await resolvePublic(url, false, resolve)).toEqual([
    { address: "1.1.1.1", family: 4 },
    { address: "2606:4700::1", family: 6 },
  ]);
  expect(asked).toEqual(["books.example"]);
});

test("a name that resolves to a private address the second time is refused then", async () => {
  const first = answers("1.1.1.1");
  const second = answers("127.0.0.1");
  await resolvePublic(url, false, first.resolve);
  await expect(resolvePublic(url, false, second.resolve)).rejects.toThrow(
    "books.example has no public address",
  );
});

test("http: is refused before the host is resolved", async () => {
  const { asked, resolve } = answers("1.1.1.1");
  const http = new URL("http://books.example");
  await expect(resolvePublic(http, false, resolve)).rejects.toThrow("https://");
  expect(asked).toEqual([]);
});

test("private addresses can be allowed, and IPv6 literals are resolved without brackets", async () => {
  const { asked, resolve } = answers("::1");
  const literal = new URL("http://[::1]:4000");
  const found = await resolvePublic(literal, true, resolve);
  expect(found).toEqual([{ address: "::1", family: 6 }]);
  expect(asked).toEqual(["::1"]);
});

const publicOnes = [
  "1.1.1.1",
  "93.184.215.14",
  "172.32.0.1",
  "2606:4700:4700::1111",
  "2a00:1450:4001::1",
];
const notPublic = {
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

test.each(Object.entries(notPublic))("not public: %s", (_, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test("a URL with a private address is refused in every notation", () => {
  const refused = [
    "http://books.example",
    "https://localhost",
    "https://LOCALHOST.",
    "https://a.localhost:8443",
    "https://127.1",
    "https://2130706433",
    "https://0x7f.0.0.1",
    "https://0177.0.0.1",
    "https://①②⑦.0.0.1",
    "https://[::1]",
    "https://[::ffff:127.0.0.1]",
    "https://0",
    "https://192.168.0.1:443/hooks",
  ];
  expect(refused.filter((url) => urlFault(new URL(url)) === undefined)).toEqual([]);
  const taken = [
    "https://books.example:8443/hooks?a=b",
    "https://bücher.example",
    "https://1.1.1.1",
    "https://[2606:4700::1]",
  ];
  expect(taken.filter((url) => urlFault(new URL(url)) !== undefined)).toEqual([]);
});

const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;

type Records = (name: string, type: number) => readonly Buffer[] | "unknown" | "silent";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Starts a DNS server on this machine. Returns its address. */
async function startDns(records: Records): Promise<string> {
  const socket = createSocket("udp4");
  socket.on("message", (question, { address, port }) => {
    const { name, type, end } = questionIn(question);
    const found = records(name, type);
    if (found === "silent") return;
    socket.send(answerTo(question.subarray(0, end), type, found), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  closers.push(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** Parses the question of a DNS message (RFC 1035, section 4.1). */
function questionIn(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(question: Buffer, type: number, found: readonly Buffer[] | "unknown"): Buffer {
  const header = Buffer.from(question);
  header.writeUInt16BE(0x8180 | (found === "unknown" ? NXDOMAIN : 0), 2);
  const records = found === "unknown" ? [] : found;
  header.writeUInt16BE(records.length, 6);
  header.writeUInt32BE(0, 8);
  const answers = records.map((data) => {
    const start = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
    return Buffer.concat([start, data]);
  });
  return Buffer.concat([header, ...answers]);
}

test("a name is resolved to all of its addresses", async () => {
  const server = await startDns((name, type) => {
    if (name !== "books.example") return "unknown";
    if (type === A) return [Buffer.from([192, 0, 2, 1]), Buffer.from([192, 0, 2, 2])];
    return type === AAAA ? [Buffer.from("20010db8000000000000000000000001", "hex")] : [];
  });
  expect(await createResolveByDns([server])("books.example")).toEqual([
    { address: "192.0.2.1", family: 4 },
    { address: "192.0.2.2", family: 4 },
    { address: "2001:db8::1", family: 6 },
  ]);
});

test("a name may have addresses of one family only", async () => {
  const server = await startDns((_, type) => (type === A ? [Buffer.from([192, 0, 2, 1])] : []));
  expect(await createResolveByDns([server])("books.example")).toEqual([
    { address: "192.0.2.1", family: 4 },
  ]);
});

test("an unknown name, and a name without addresses, is rejected", async () => {
  const server = await startDns((name) => (name === "books.example" ? [] : "unknown"));
  const resolve = createResolveByDns([server]);
  await expect(resolve("books.example")).rejects.toThrow("books.example has no address");
  await expect(resolve("lost.example")).rejects.toThrow("lost.example has no address");
});

test("a DNS server that does not respond is rejected after the timeout", async () => {
  const server = await startDns(() => "silent");
  await expect(createResolveByDns([server])("books.example")).rejects.toThrow("books.example");
});

test("an IP address is not looked up", async () => {
  const resolve = createResolveByDns(["127.0.0.1:1"]);
  expect(await resolve("127.0.0.1")).toEqual([{ address: "127.0.0.1", family: 4 }]);
  expect(await resolve("::1")).toEqual([{ address: "::1", family: 6 }]);
});
