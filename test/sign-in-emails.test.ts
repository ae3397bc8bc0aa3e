import { paths, withId } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { deskConfig, startShop } from "./harness/shop.ts";
import { deskBrowser, inviteStaff, merchant, secretOf } from "./harness/staff.ts";
import { useResource } from "./harness/use-resource.ts";
import { waitFor } from "./harness/wait-for.ts";

const MINUTE = 60_000;

// Each test browser sends its own forwarded address, so that tests do not share rate limits.
const shop = useResource(() => startShop({ desk: true, config: { trustProxy: 1 }, mail: true }));

let count = 0;
const anAddress = () => `staff-${++count}@shop.example`;

async function invite(email: string): Promise<{ id: string; link: string; name: string }> {
  const name = `Person ${email}`;
  const { body } = await merchant(shop, "POST", paths.merchant.staff, {
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

const ask = (email: string, browser = deskBrowser(shop.desk)) =>
  browser.call("POST", paths.desk.signInEmails, { email });

/** The sign-in links in the emails to an address. */
const linksTo = (email: string): string[] =>
  shop.lender
    .letters()
    .filter(({ recipient, subject }) => recipient === email && subject === "Your sign-in link")
    .map(({ text }) => /http:\S+/.exec(text)?.[0] ?? "");

const linksIn = (id: string) =>
  shop.database.db.selectFrom("sign_in_links").selectAll().where("staff_id", "=", id).execute();

test("an invitation is emailed, with a link that works for three days", async () => {
  const email = anAddress();
  const { link, name } = await invite(email);
  const letter = shop.lender.letters().find(({ recipient }) => recipient === email);
  expect(letter?.text).toContain("It works once, within three days.");
  expect(/http:\S+/.exec(letter?.text ?? "")?.[0]).toBe(link);
  const browser = deskBrowser(shop.desk);
  await browser.signIn(link);
  const { body } = await browser.call("GET", paths.desk.session);
  expect(body).toMatchObject({ staff: { name } });
  const listed = await merchant(shop, "GET", paths.merchant.staff);
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
  await deskBrowser(shop.desk).signIn(link);
  for (const used of [link, invitation]) {
    const { status } = await deskBrowser(shop.desk).call("POST", paths.desk.signIn, {
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
  expect(shop.lender.letters().filter(({ recipient }) => recipient === unknown)).toEqual([]);
});

test("within ten minutes an address gets three links, and a client can make ten requests", async () => {
  const email = anAddress();
  await invite(email);
  const statuses = async (emails: readonly string[], browser?: ReturnType<typeof deskBrowser>) => {
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
  expect(await statuses(different, deskBrowser(shop.desk))).toEqual([
    ...Array.from({ length: 10 }, () => 202),
    429,
  ]);
});

test("the sign-in options say whether links are emailed, which owners can turn off", async () => {
  const options = async () => (await deskBrowser(shop.desk).call("GET", paths.desk.signIn)).body;
  expect(await options()).toEqual({ shop_name: "Keepsats", emails_links: true });
  await merchant(shop, "PUT", paths.merchant.settings, { sign_in_emails: "off" });
  try {
    expect(await options()).toMatchObject({ emails_links: false });
    expect(await ask(anAddress())).toMatchObject({ status: 409, body: { code: "mail_off" } });
  } finally {
    await merchant(shop, "PUT", paths.merchant.settings, { sign_in_emails: "on" });
  }
});

test("removed staff get no email, and requests from other origins are refused", async () => {
  const email = anAddress();
  const { id } = await invite(email);
  const foreign = await deskBrowser(shop.desk).call(
    "POST",
    paths.desk.signInEmails,
    { email },
    { origin: "https://evil.example" },
  );
  expect(foreign.status).toBe(403);
  await merchant(shop, "DELETE", withId(paths.merchant.staffMember, id));
  await ask(email);
  const later = anAddress();
  await invite(later);
  await ask(later);
  await waitFor("the later email", () => linksTo(later).length > 0);
  expect(linksTo(email)).toEqual([]);
});

test("an invitation or sign-in email that cannot be sent is logged without its address, and may begin an outage", async () => {
  const email = anAddress();
  const logged = (text: string) =>
    shop.logs.filter((line) => line.includes(text)).map((line) => JSON.parse(line));
  await shop.lender.setMailFault("refuse");
  try {
    await invite(email);
    const unsent = "a test email, an invitation or a sign-in link was not sent";
    expect(logged(unsent)).toEqual([
      expect.objectContaining({ why: expect.stringContaining("550") }),
    ]);
    expect(logged("the mail server is not accepting email")).toEqual([]);
    await shop.lender.setMailFault("down");
    await ask(email);
    await waitFor("the second line", () => logged(unsent).length === 2);
    await waitFor(
      "the outage",
      () => logged("the mail server is not accepting email").length === 1,
    );
    const { body } = await merchant(shop, "GET", paths.merchant.today);
    expect(body).toMatchObject({ mail: { state: "away" } });
  } finally {
    await shop.lender.setMailFault("none");
  }
  expect(shop.logs.join("")).not.toContain(email);
});

test("a shop without mail does not email links", async () => {
  const own = await deskConfig();
  await using without = await startShop({ config: { desk: own } });
  await inviteStaff(without, "Ada");
  const { body } = await deskBrowser(own).call("GET", paths.desk.signIn);
  expect(body).toMatchObject({ emails_links: false });
  const answer = await deskBrowser(own).call("POST", paths.desk.signInEmails, {
    email: "a@shop.example",
  });
  expect(answer.status).toBe(409);
});
