import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { createResolveByDns } from "./resolve.ts";

const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;

type Records = (name: string, type: number) => readonly Buffer[] | "unknown" | "silent";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Starts a DNS server on this machine. @returns its address */
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

/** The name and the type that a question asks for, and where it ends (RFC 1035, section 4.1). */
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

test("a name with addresses of one kind is enough", async () => {
  const server = await startDns((_, type) => (type === A ? [Buffer.from([192, 0, 2, 1])] : []));
  expect(await createResolveByDns([server])("books.example")).toEqual([
    { address: "192.0.2.1", family: 4 },
  ]);
});

test("an unknown name, and one without addresses, is an error that says so", async () => {
  const server = await startDns((name) => (name === "books.example" ? [] : "unknown"));
  const resolve = createResolveByDns([server]);
  await expect(resolve("books.example")).rejects.toThrow("books.example has no address");
  await expect(resolve("lost.example")).rejects.toThrow("lost.example has no address");
});

test("a DNS server that does not answer is an error after its time limit", async () => {
  const server = await startDns(() => "silent");
  await expect(createResolveByDns([server])("books.example")).rejects.toThrow("books.example");
});

test("an address is itself, and no DNS server is asked", async () => {
  const resolve = createResolveByDns(["127.0.0.1:1"]);
  expect(await resolve("127.0.0.1")).toEqual([{ address: "127.0.0.1", family: 4 }]);
  expect(await resolve("::1")).toEqual([{ address: "::1", family: 6 }]);
});
