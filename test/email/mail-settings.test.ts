import { type MailSettingsPatch, paths } from "@keepsats/protocol";
import { SMTPServer } from "smtp-server";
import { beforeEach, describe, expect, test } from "vitest";
import type { MailEnvironment } from "../../apps/server/src/config/mail-config.ts";
import { createMailSettings } from "../../apps/server/src/modules/email/mail-settings.ts";
import { createInProcessBus } from "../../apps/server/src/platform/events/bus.ts";
import { placeOrder } from "../harness/customer.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { freePort } from "../harness/network.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const login = { user: "shop@mail.example", password: "hidden-pa55word" };
const sender = { name: "Corner Shop", address: "orders@corner.example" };
const noEnvironment: MailEnvironment = { server: undefined, from: undefined };

/** A mail server that requires the login. */
async function startMailServer() {
  const port = await freePort();
  const emails: string[] = [];
  const server = new SMTPServer({
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onAuth({ username = "", password }, _session, done) {
      if (password === login.password) done(null, { user: username });
      else done(new Error(`no, ${username} with ${password} is unknown`));
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        emails.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const settings = { host: "127.0.0.1", port, encryption: "starttls", login } as const;
  return {
    emails,
    settings,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const mailServer = useResource(startMailServer);

describe.each(databaseKinds)("mail settings on $name", (kind) => {
  const shop = useDatabase(kind);
  beforeEach(async () => {
    await shop.database.db.deleteFrom("key_values").execute();
  });

  /** A process of the shop. `rereadInterval`: in milliseconds. */
  const aProcess = ({
    bus = createInProcessBus(),
    environment = noEnvironment,
    rereadInterval = 3_600_000,
  } = {}) =>
    createMailSettings(
      {
        database: shop.database,
        bus,
        rereadInterval,
        onError: (error) => expect.unreachable(String(error)),
      },
      environment,
    );

  test("are none at first, and email is on with both a sender and a mail server", async () => {
    const settings = await aProcess();
    expect(settings.view()).toEqual({ sender: null, server: null });
    expect(await settings.change({ sender })).toEqual(settings.view());
    expect(settings.current()).toBeUndefined();
    expect(await settings.change({ server: mailServer.settings })).toEqual(settings.view());
    const { host, port } = mailServer.settings;
    expect(settings.current()).toEqual({
      from: sender,
      server: { host, port, secure: false, login, isLoopback: true },
    });
    expect(await settings.change({ server: null })).toEqual(settings.view());
    expect(settings.current()).toBeUndefined();
    expect(settings.view().sender).toMatchObject(sender);
    settings.close();
  });

  test("reach other processes at once over the bus, and without it at the next reread", async () => {
    const bus = createInProcessBus();
    const [one, other, deaf] = await Promise.all([
      aProcess({ bus }),
      aProcess({ bus }),
      aProcess({ rereadInterval: 20 }),
    ]);
    await one.change({ sender, server: mailServer.settings });
    for (const process of [other, deaf]) {
      await waitFor("the new sender", () => process.current()?.from.address === sender.address);
      expect(process.current()).toEqual(one.current());
    }
    for (const process of [one, other, deaf]) process.close();
  });

  test("of two changes at once keep both", async () => {
    const [one, other] = await Promise.all([aProcess(), aProcess()]);
    await Promise.all([one.change({ sender }), other.change({ server: mailServer.settings })]);
    const after = await aProcess();
    expect(after.current()).toMatchObject({
      from: sender,
      server: { port: mailServer.settings.port },
    });
    for (const process of [one, other, after]) process.close();
  });

  test("that the environment sets win, and cannot change", async () => {
    const stored = await aProcess();
    await stored.change({ sender, server: mailServer.settings });
    stored.close();
    const settings = await aProcess({
      environment: { server: undefined, from: { name: undefined, address: "env@shop.example" } },
    });
    expect(settings.current()).toMatchObject({
      from: { address: "env@shop.example" },
      server: { port: mailServer.settings.port },
    });
    expect(settings.view().sender).toEqual({
      source: "environment",
      name: null,
      address: "env@shop.example",
    });
    expect(await settings.change({ sender })).toMatchObject({
      code: "invalid",
      details: { errors: [{ path: "sender", message: expect.stringContaining("MAIL_FROM") }] },
    });
    settings.close();

    const server = { host: "env.example", port: 465, secure: true, login, isLoopback: false };
    const fixed = await aProcess({ environment: { server, from: undefined } });
    expect(fixed.current()).toMatchObject({ server, from: { address: sender.address } });
    expect(fixed.view().server).toMatchObject({ source: "environment", host: "env.example" });
    fixed.close();
  });

  test.each<[string, string, () => MailSettingsPatch["server"]]>([
    [
      "a wrong password",
      "535",
      () => ({ ...mailServer.settings, login: { ...login, password: "wrong-hidden" } }),
    ],
    ["no server at the port", "ECONNREFUSED", () => ({ ...mailServer.settings, port: 1 })],
  ])(
    "with %s are refused with the answer, without the login, and nothing is stored",
    async (_name, answer, server) => {
      const settings = await aProcess();
      const change = await settings.change({ sender, server: server() });
      expect(change).toMatchObject({
        code: "mail_server_refused",
        details: { detail: expect.stringContaining(answer) },
      });
      expect(JSON.stringify(change)).not.toMatch(/hidden|shop@mail/);
      expect(settings.view()).toEqual({ sender: null, server: null });
      expect(await shop.database.db.selectFrom("key_values").selectAll().execute()).toEqual([]);
      settings.close();
    },
  );

  test("that this version cannot parse are read as none", async () => {
    const value = JSON.stringify({ sender, server: { kind: "queue" } });
    await shop.database.db
      .insertInto("key_values")
      .values({ name: "mail settings", value })
      .execute();
    const settings = await aProcess();
    expect(settings.view()).toEqual({ sender: null, server: null });
    settings.close();
  });
});

describe("the mail settings of a running shop", () => {
  const shop = useResource(() => startShop({ config: { logLevel: "debug" } }));
  const put = (settings: object) => callAdminApi(shop, "PUT", paths.admin.mailSettings, settings);

  test("are used by the next email, and the password is in no answer and no log", async () => {
    const sendTestEmail = () =>
      callAdminApi(shop, "POST", paths.admin.testEmail, { to: "ada@shop.example" });
    expect(await sendTestEmail()).toMatchObject({
      status: 409,
      body: { code: "mail_off", detail: expect.stringContaining("Settings › Email") },
    });
    await placeOrder(shop);
    expect(await shop.database.db.selectFrom("outbox").select("channel").execute()).toEqual([]);

    const stored = await put({ sender, server: mailServer.settings });
    expect(stored.status).toBe(200);
    await placeOrder(shop, { customer_email: "zoe@mail.example" });
    await waitFor("the email", () => mailServer.emails.length > 0);
    expect(mailServer.emails[0]).toContain("From: Corner Shop <orders@corner.example>\r\n");
    expect(mailServer.emails[0]).toContain("To: zoe@mail.example\r\n");

    await put({ sender: { name: null, address: "hello@corner.example" } });
    expect(await sendTestEmail()).toMatchObject({ body: { accepted: true } });
    expect(mailServer.emails.at(-1)).toContain("From: Keepsats <hello@corner.example>\r\n");

    const { mailSettings, settings, serverSettings, today, deliveries } = paths.admin;
    const answers = await Promise.all(
      [mailSettings, settings, serverSettings, today, deliveries].map((path) =>
        callAdminApi(shop, "GET", path),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers[0]?.body).toMatchObject({ server: { user: login.user, source: "setting" } });
    expect(JSON.stringify([stored, answers, shop.logs])).not.toContain(login.password);
  });

  test.each([
    { sender: { name: "Shop", address: "orders" } },
    { sender: { name: "a\r\nBcc: x@y.example", address: "orders@shop.example" } },
    { server: { host: "mail.example/x", port: 25, encryption: "tls", login: null } },
    { server: { host: "mail.example", port: 0, encryption: "tls", login: null } },
    { server: { host: "mail.example", port: 25, encryption: "none", login: null } },
    { server: { host: "mail.example", port: 25, encryption: "tls", login: { user: "shop" } } },
    { password: "hidden" },
  ])("refuse %j", async (settings) => {
    expect(await put(settings)).toMatchObject({ status: 422, body: { code: "invalid" } });
  });
});

test("a mail server of the environment is shown without its login, and cannot change", async () => {
  await using shop = await startShop({ mail: true });
  const { body } = await callAdminApi(shop, "GET", paths.admin.mailSettings);
  expect(body).toMatchObject({
    sender: { source: "environment", address: "orders@shop.example" },
    server: { source: "environment", host: "127.0.0.1", user: null },
  });
  const change = { server: mailServer.settings };
  expect(await callAdminApi(shop, "PUT", paths.admin.mailSettings, change)).toMatchObject({
    status: 422,
    body: { errors: [{ path: "server", message: expect.stringContaining("SMTP_URL") }] },
  });
});
