import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import type { MailServerConfig } from "../../apps/server/src/config/mail-config.ts";
import {
  checkMailServer,
  type Message,
  sendEmail,
} from "../../apps/server/src/modules/email/smtp.ts";
import { freePort } from "../harness/network.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { useResource } from "../harness/use-resource.ts";

const message: Message = {
  from: { name: "Shop", address: "orders@shop.example" },
  replyTo: "help@shop.example",
  to: "ada@mail.example",
  subject: "Your order",
  text: "Hello",
  html: "<p>Hello</p>",
  attachments: [],
  messageId: "delivery-1@shop.example",
  headers: { "Auto-Submitted": "auto-generated" },
};

function serverAt(port: number): MailServerConfig {
  return { host: "127.0.0.1", port, secure: false, login: undefined, isLoopback: true };
}

function send(port: number, changes: Partial<MailServerConfig> = {}, of: Partial<Message> = {}) {
  const server = { ...serverAt(port), ...changes };
  return sendEmail(server, { ...message, ...of }, new AbortController().signal);
}

describe("to the sandbox's mailbox", () => {
  let port: number;
  const sandbox = useResource(async () => {
    port = await freePort();
    return startSandbox({ smtpPort: port });
  });
  afterEach(() => sandbox.setMailFault("none"));

  test("an email arrives with its own Message-ID, marked as automatic", async () => {
    expect(await send(port)).toMatchObject({
      kind: "delivered",
      answer: expect.stringContaining("250"),
    });
    const email = sandbox.emails().at(-1);
    expect(email).toMatchObject({
      recipient: "ada@mail.example",
      messageId: "<delivery-1@shop.example>",
    });
    for (const header of [
      "Auto-Submitted: auto-generated",
      "Reply-To: help@shop.example",
      "To: ada@mail.example",
    ])
      expect(`\r\n${email?.raw}`).toContain(`\r\n${header}\r\n`);
  });

  test.each([
    ["later", "retry", "451", { isOutage: false }],
    ["refuse", "failed", "550", { isRefusal: true }],
    ["half", "retry", "closed", { isOutage: true }],
    ["down", "retry", "closed", { isOutage: true }],
  ] as const)("with the fault %s the result is %s", async (fault, kind, answer, more) => {
    await sandbox.setMailFault(fault);
    expect(await send(port)).toEqual({ kind, answer: expect.stringContaining(answer), ...more });
  });

  test.each([
    ["none", undefined],
    ["down", expect.stringContaining("closed")],
  ] as const)("with the fault %s the check of the server returns %s", async (fault, expected) => {
    await sandbox.setMailFault(fault);
    expect(await checkMailServer(serverAt(port))).toEqual(expected);
  });

  test("a slow server gets the email, and the connection ends with the attempt", async () => {
    await sandbox.setMailFault("slow");
    expect(await send(port)).toMatchObject({ kind: "delivered" });
    const began = performance.now();
    const attempt = sendEmail(serverAt(port), message, AbortSignal.timeout(300));
    expect(await attempt).toMatchObject({ kind: "retry" });
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test("neither the shop's name nor a subject can add a header or a recipient", async () => {
    const evil = "x\r\nBcc: eve@evil.example\r\n\r\n<b>evil</b>\u2028\u0085";
    await send(port, {}, { subject: evil, from: { name: evil, address: "orders@shop.example" } });
    const [head = ""] = (sandbox.emails().at(-1)?.raw ?? "").split("\r\n\r\n");
    expect(head).toContain("Subject:");
    expect(head.split("\r\n").filter((line) => /^bcc/i.test(line))).toEqual([]);
    expect(sandbox.emails().map(({ recipient }) => recipient)).not.toContain("eve@evil.example");
  });

  test.each([
    "ada@mail.example,eve@evil.example",
    "ada@mail.example\r\nBcc: eve@evil.example",
    "<eve@evil.example>",
  ])("an address such as %j fails without an attempt", async (to) => {
    const { kind } = await send(port, {}, { to });
    expect(kind).not.toBe("delivered");
    expect(sandbox.emails().map(({ recipient }) => recipient)).not.toContain("eve@evil.example");
  });
});

test("the result contains the address in none of its spellings", async () => {
  const port = await freePort();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(new Error(`no ${address}, ZOE@bücher.example, zoe@xn--bcher-kva.EXAMPLE`)),
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  try {
    const { answer } = await send(port, {}, { to: "zoe@Bücher.example" });
    expect(answer).toContain("no …, …, …");
    expect(answer).not.toMatch(/zoe|cher/i);
  } finally {
    await new Promise<void>((resolve) => server.close(resolve));
  }
});

describe("to a server with TLS", () => {
  const servers: SMTPServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0))
      await new Promise<void>((resolve) => server.close(resolve));
  });

  /** A server with an untrusted certificate. */
  async function startServer(options: SMTPServerOptions = {}) {
    const seen: { secure: boolean; user: unknown }[] = [];
    const port = await freePort();
    const server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      closeTimeout: 100,
      logger: false,
      onAuth({ username, password }, _session, done) {
        if (password === "s&cret@1") done(null, { user: username });
        else done(new Error("wrong password"));
      },
      onData(stream, { secure, user }, done) {
        stream.resume().on("end", () => {
          seen.push({ secure, user });
          done();
        });
      },
      ...options,
    });
    server.on("error", () => {});
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return { port, seen };
  }

  test("on loopback TLS is used where it is offered, whatever its certificate", async () => {
    const { port, seen } = await startServer();
    expect(await send(port)).toMatchObject({ kind: "delivered" });
    const login = { user: "shop", password: "s&cret@1" };
    expect(await send(port, { login })).toMatchObject({ kind: "delivered" });
    expect(seen).toEqual([
      { secure: true, user: false },
      { secure: true, user: "shop" },
    ]);
  });

  test("elsewhere an untrusted certificate is refused, and the email is retried", async () => {
    const { port, seen } = await startServer();
    expect(await send(port, { isLoopback: false })).toMatchObject({ kind: "retry" });
    const direct = await startServer({ secure: true });
    expect(await send(direct.port, { isLoopback: false, secure: true })).toMatchObject({
      kind: "retry",
    });
    expect([...seen, ...direct.seen]).toEqual([]);
  });

  test("elsewhere no password is sent without TLS, and the email is retried", async () => {
    const asked: string[] = [];
    const { port } = await startServer({
      hideSTARTTLS: true,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth({ password }, _session, done) {
        asked.push(String(password));
        done(new Error("no"));
      },
    });
    const login = { user: "shop", password: "s&cret@1" };
    expect(await send(port, { isLoopback: false, login })).toMatchObject({ kind: "retry" });
    expect(asked).toEqual([]);
  });

  test("a refused password does not fail an email", async () => {
    const { port } = await startServer();
    const login = { user: "shop", password: "wrong" };
    expect(await send(port, { login })).toMatchObject({
      kind: "retry",
      answer: expect.stringContaining("535"),
    });
    const closed = await startServer({ authOptional: false });
    expect(await send(closed.port)).toMatchObject({
      kind: "retry",
      answer: expect.stringContaining("530"),
    });
  });
});

test("an answer that repeats the address is stored without it", async () => {
  const port = await freePort();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, _session, done) {
      done(
        Object.assign(new Error(`<${address.toUpperCase()}>: nobody here`), { responseCode: 550 }),
      );
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  expect(await send(port)).toEqual({
    kind: "failed",
    answer: expect.stringContaining("550 <…>: nobody here"),
    isRefusal: true,
  });
  await new Promise<void>((resolve) => server.close(resolve));
});

describe("to a program that is no SMTP server", () => {
  let server: Server | undefined;
  afterEach(
    () =>
      new Promise<void>((resolve) =>
        server === undefined ? resolve() : server.close(() => resolve()),
      ),
  );

  async function startServer(serve: (socket: Socket) => void): Promise<number> {
    const port = await freePort();
    server = createServer((socket) => {
      socket.on("error", () => {});
      serve(socket);
    });
    await new Promise<void>((resolve) => server?.listen(port, "127.0.0.1", resolve));
    return port;
  }

  test.each([
    ["half a greeting", (socket: Socket) => socket.end("22")],
    ["a web page", (socket: Socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n<html>")],
    ["a refusal of everybody", (socket: Socket) => socket.end("554 no mail service here\r\n")],
    ["an endless answer", (socket: Socket) => socket.write(`220-${"x".repeat(100_000)}`)],
  ])("%s: the email is retried", async (_name, serve) => {
    expect(await send(await startServer(serve))).toMatchObject({ kind: "retry" });
  });

  test("a closed port: the email is retried", async () => {
    expect(await send(await freePort())).toMatchObject({
      kind: "retry",
      answer: expect.stringContaining("ECONNREFUSED"),
    });
  });
});
