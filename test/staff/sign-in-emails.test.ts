import { paths, withId } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { MINUTE } from "../../apps/server/src/platform/scheduling/clock.ts";
import { adminConfig, startShop } from "../harness/shop.ts";
import { adminBrowser, callAdminApi, inviteStaff, secretOf } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

// Each test browser sends its own forwarded address, so that tests do not share rate limits.
const shop = useResource(() => startShop({ admin: true, config: { trustProxy: 1 }, mail: true }));

let count = 0;
const anAddress = () => `staff-${++count}@shop.example`;

async function invite(email: string): Promise<{ id: string; link: string; name: string }> {
  const name = `Person ${email}`;
  const { body } = await callAdminApi(shop, "POST", paths.admin.staff, {
    name,
    role: "staff",
    email,
  });
  return {
    name,
    id: String(Reflect.get(Object(body), "id")),
    link: String(Reflect.get(Object(body), "link")),
  };
}

const ask = (email: string, browser = adminBrowser(shop.admin)) =>
  browser.call("POST", paths.auth.signInEmails, { email });

/** The sign-in links in the emails to an address. */
const linksTo = (email: string): string[] =>
  shop.sandbox
    .emails()
    .filter(({ recipient, subject }) => recipient === email && subject === "Your sign-in link")
    .map(({ text }) => /http:\S+/.exec(text)?.[0] ?? "");

const linksIn = (id: string) =>
  shop.database.db.selectFrom("sign_in_links").selectAll().where("staff_id", "=", id).execute();

test("an invitation is emailed, with a link that works for three days", async () => {
  const email = anAddress();
  const { link, name } = await invite(email);
  const sent = shop.sandbox.emails().find(({ recipient }) => recipient === email);
  expect(sent?.text).toContain("It works once, within three days.");
  expect(/http:\S+/.exec(sent?.text ?? "")?.[0]).toBe(link);
  const browser = adminBrowser(shop.admin);
  await browser.signIn(link);
  const { body } = await browser.call("GET", paths.auth.session);
  expect(body).toMatchObject({ staff: { name } });
  const listed = await callAdminApi(shop, "GET", paths.admin.staff);
  expect(listed.body).toMatchObject({
    staff: expect.arrayContaining([
      expect.objectContaining({ name, email, role: "staff", passkeys: 0 }),
    ]),
  });
});

test("an emailed sign-in link works once, within ten minutes", async () => {
  const email = anAddress();
  const { id, link: invitation } = await invite(email);
  expect((await ask(email.toUpperCase())).status).toBe(202);
  const [link = ""] = await waitFor("the email", () =>
    linksTo(email).length > 0 ? linksTo(email) : undefined,
  );
  const lives = (await linksIn(id)).map(({ expires_at }) => expires_at - shop.database.now());
  expect(Math.min(...lives)).toBeGreaterThan(9 * MINUTE);
  expect(Math.min(...lives)).toBeLessThanOrEqual(10 * MINUTE);
  await adminBrowser(shop.admin).signIn(link);
  for (const used of [link, invitation]) {
    const { status } = await adminBrowser(shop.admin).call("POST", paths.auth.signIn, {
      link: secretOf(used),
    });
    expect(status).toBe(401);
  }
});

test("an unknown address gets the same response, before any look-up, and no email", async () => {
  const [known, unknown] = [anAddress(), "nobody@elsewhere.example"];
  await invite(known);
  const answers = await Promise.all([ask(known), ask(unknown)]);
  const [one, other] = answers.map(({ status, body, headers }) => ({
    status,
    body,
    headers: [...headers.keys()].toSorted(),
  }));
  expect(one).toEqual(other);
  expect(one?.status).toBe(202);
  await waitFor("the email", () => linksTo(known).length > 0);
  expect(shop.sandbox.emails().filter(({ recipient }) => recipient === unknown)).toEqual([]);
});

test("within ten minutes an address gets three links, and a client can make ten requests", async () => {
  const email = anAddress();
  await invite(email);
  const statuses = async (emails: readonly string[], browser?: ReturnType<typeof adminBrowser>) => {
    const all: number[] = [];
    for (const one of emails) all.push((await ask(one, browser)).status);
    return all;
  };
  const unknown = "nobody-else@elsewhere.example";
  for (const address of [email, unknown])
    expect(await statuses(Array.from({ length: 4 }, () => address)), address).toEqual([
      202, 202, 202, 429,
    ]);
  await waitFor("three emails", () => linksTo(email).length === 3);
  const different = Array.from({ length: 11 }, (_, at) => `nobody-${at}@elsewhere.example`);
  expect(await statuses(different, adminBrowser(shop.admin))).toEqual([
    ...Array.from({ length: 10 }, () => 202),
    429,
  ]);
});

test("the sign-in options say whether links are emailed, which owners can turn off", async () => {
  const options = async () => (await adminBrowser(shop.admin).call("GET", paths.auth.signIn)).body;
  expect(await options()).toEqual({ shop_name: "Keepsats", emails_links: true });
  await callAdminApi(shop, "PUT", paths.admin.settings, { sign_in_emails: "off" });
  try {
    expect(await options()).toMatchObject({ emails_links: false });
    expect(await ask(anAddress())).toMatchObject({ status: 409, body: { code: "mail_off" } });
  } finally {
    await callAdminApi(shop, "PUT", paths.admin.settings, { sign_in_emails: "on" });
  }
});

test("removed staff get no email, and requests from other origins are refused", async () => {
  const email = anAddress();
  const { id } = await invite(email);
  const foreign = await adminBrowser(shop.admin).call(
    "POST",
    paths.auth.signInEmails,
    { email },
    { origin: "https://evil.example" },
  );
  expect(foreign.status).toBe(403);
  await callAdminApi(shop, "DELETE", withId(paths.admin.staffMember, id));
  await ask(email);
  const later = anAddress();
  await invite(later);
  await ask(later);
  await waitFor("the later email", () => linksTo(later).length > 0);
  expect(linksTo(email)).toEqual([]);
});

test("a sign-in email that cannot be sent is logged without its address, and may start an outage", async () => {
  const email = anAddress();
  const logged = (text: string) =>
    shop.logs.filter((line) => line.includes(text)).map((line) => JSON.parse(line));
  await shop.sandbox.setMailFault("refuse");
  try {
    await invite(email);
    const unsent = "a test email, an invitation or a sign-in link was not sent";
    expect(logged(unsent)).toEqual([
      expect.objectContaining({ why: expect.stringContaining("550") }),
    ]);
    expect(logged("the mail server is not accepting email")).toEqual([]);
    await shop.sandbox.setMailFault("down");
    await ask(email);
    await waitFor("the second line", () => logged(unsent).length === 2);
    await waitFor(
      "the outage",
      () => logged("the mail server is not accepting email").length === 1,
    );
    const { body } = await callAdminApi(shop, "GET", paths.admin.today);
    expect(body).toMatchObject({ mail: { state: "away" } });
  } finally {
    await shop.sandbox.setMailFault("none");
  }
  expect(shop.logs.join("")).not.toContain(email);
});

test("a shop without email sends no links", async () => {
  const own = await adminConfig();
  await using without = await startShop({ config: { admin: own } });
  await inviteStaff(without, "Ada");
  const { body } = await adminBrowser(own).call("GET", paths.auth.signIn);
  expect(body).toMatchObject({ emails_links: false });
  const answer = await adminBrowser(own).call("POST", paths.auth.signInEmails, {
    email: "a@shop.example",
  });
  expect(answer.status).toBe(409);
});
