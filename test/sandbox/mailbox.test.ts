import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePort } from "../harness/network.ts";
import { type Sandbox, startSandbox } from "../harness/sandbox.ts";

let folder: string;
let smtpPort: number;
let sandbox: Sandbox;
const start = () => startSandbox({ folder, smtpPort });
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keepsats-"));
  smtpPort = await freePort();
  sandbox = await start();
});
afterEach(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

async function send(mail: {
  to: string;
  subject?: string;
  html?: string;
  text?: string;
}): Promise<void> {
  const transport = createTransport({ host: "127.0.0.1", port: smtpPort });
  await transport.sendMail({
    from: "orders@shop.example",
    subject: "Hello",
    text: "Hello",
    ...mail,
  });
}

const get = (path: string) => fetch(`${sandbox.url}/mailbox${path}`);

test("every recipient's email is listed, newest first, and shown with its text, its HTML and its source", async () => {
  await send({
    to: "ada@mail.example, bob@mail.example",
    subject: "Grüße ✓",
    html: "<p>Hällo</p>",
  });
  const { emails }: { emails: { id: number }[] } = await (await get("/emails")).json();
  expect(emails).toMatchObject([
    { recipient: "bob@mail.example", sender: "orders@shop.example", subject: "Grüße ✓" },
    { recipient: "ada@mail.example" },
  ]);
  const shown = async (path: string) => (await get(path)).text();
  const id = emails[0]?.id;
  expect(await shown(`?email=${id}&view=text`)).toContain("<pre>Hello\n</pre>");
  expect(await shown(`/emails/${id}/html`)).toContain("<p>Hällo</p>");
  expect(await shown(`?email=${id}&view=raw`)).toContain("Content-Type: multipart/alternative");
});

test("the HTML of an email can neither run scripts nor load anything, and its links open in other windows", async () => {
  await send({
    to: "ada@mail.example",
    html: "<script>alert(1)</script><a href='http://shop.example/'>x</a>",
  });
  const response = await get("/emails/1/html");
  const policy = response.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/sandbox allow-popups allow-popups-to-escape-sandbox$/);
  expect(policy).not.toMatch(/script-src|allow-scripts|allow-same-origin/);
  expect(await response.text()).toMatch(/^<base target="_blank" \/>/);
});

test("the page escapes the texts of an email", async () => {
  await send({ to: "ada@mail.example", subject: "<script>alert(1)</script>", text: "<img>" });
  const page = await (await get("?view=text")).text();
  expect(page).toContain("&#60;script&#62;alert(1)");
  expect(page).not.toMatch(/<script>|<img>/);
});

test("emails survive a restart, until the mailbox is emptied; what does not exist is 404", async () => {
  await send({ to: "ada@mail.example" });
  await sandbox.close();
  sandbox = await start();
  expect(sandbox.emails()).toHaveLength(1);
  expect((await fetch(`${sandbox.url}/mailbox/emails`, { method: "DELETE" })).status).toBe(204);
  expect(sandbox.emails()).toEqual([]);
  for (const path of ["/emails/1/html", "/emails/x/html"])
    expect((await get(path)).status).toBe(404);
});

test("an email that is too large is refused, and a fault that does not exist too", async () => {
  await expect(send({ to: "ada@mail.example", text: "x".repeat(1_100_000) })).rejects.toMatchObject(
    {
      responseCode: 552,
    },
  );
  const response = await fetch(`${sandbox.url}/mailbox/fault`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ kind: "on fire", seconds: 60 }),
  });
  expect(response.status).toBe(422);
  expect(sandbox.emails()).toEqual([]);
});
