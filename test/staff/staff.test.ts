import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createPasskeys } from "../../apps/server/src/modules/staff/passkeys.ts";
import { system } from "../../apps/server/src/modules/staff/principal.ts";
import { deleteExpired } from "../../apps/server/src/modules/staff/session-repository.ts";
import { createSessions } from "../../apps/server/src/modules/staff/sessions.ts";
import { createStaffMembers } from "../../apps/server/src/modules/staff/staff-members.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { createInProcessBus } from "../../apps/server/src/platform/events/bus.ts";
import { DAY, MINUTE } from "../../apps/server/src/platform/scheduling/clock.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { doneOrWaiting, pausing } from "../harness/watched-database.ts";

const WEEK = 7 * DAY;

/** The staff as one process sees them, with a clock that the test sets. */
function processOn(opened: Database, clock: { at: number }) {
  const database: Database = { ...opened, now: () => clock.at };
  const bus = createInProcessBus();
  const topics: string[] = [];
  bus.subscribe(({ topic }) => topics.push(topic));
  const common = { database, bus, newId: randomUUID };
  const onError = (error: unknown) => {
    throw error;
  };
  const sessions = createSessions({ ...common, onError });
  const staff = createStaffMembers(common, "http://localhost:3002");
  return { database, topics, sessions, staff, passkeys: createPasskeys(common, sessions) };
}

const newCredential = () => ({ credential_id: randomUUID(), public_key: "key", counter: 0 });

const secretOf = (link = "") => new URL(link).hash.slice(1);

describe.each(databaseKinds)("staff on $name", (kind) => {
  const shop = useDatabase(kind);
  function setUp() {
    const clock = { at: 1_000_000_000 };
    return {
      clock,
      ...processOn(shop.database, clock),
      other: processOn(shop.secondConnection, clock),
    };
  }
  const named = () => `Person ${randomUUID()}`;

  /** A member of staff who has signed in. */
  async function signedIn(used: ReturnType<typeof setUp>) {
    const opened = await used.sessions.openByLink((await invite(used)).secret, undefined);
    if (opened === undefined) throw new Error("the link is new");
    return opened;
  }

  type Passkeys = ReturnType<typeof createPasskeys>;
  type NewPasskey = Parameters<Passkeys["add"]>[1];

  /** Adds a passkey that has signed a new challenge. */
  async function addPasskey(
    { passkeys }: { readonly passkeys: Passkeys },
    session: Parameters<Passkeys["add"]>[0],
    passkey: Omit<NewPasskey, "challengeId">,
  ) {
    const { id: challengeId } = await passkeys.challenges.create(session.staff_id);
    return passkeys.add(session, { ...passkey, challengeId });
  }

  const newChallengeId = async ({ passkeys }: ReturnType<typeof setUp>) =>
    (await passkeys.challenges.create()).id;

  async function invite({ staff }: ReturnType<typeof setUp>) {
    const invited = await staff.invite({ name: named(), role: "staff" }, system);
    if (invited === undefined) throw new Error("the name is free");
    return { id: invited.member.id, secret: secretOf(invited.link.link), link: invited.link };
  }

  test("an invitation expires after exactly three days", async () => {
    const used = setUp();
    const [first, second] = [await invite(used), await invite(used)];
    expect(first.link.expires_at).toBe(used.clock.at + 3 * DAY);
    used.clock.at += 3 * DAY - 1;
    expect(await used.sessions.openByLink(first.secret, undefined)).toBeDefined();
    used.clock.at += 1;
    expect(await used.sessions.openByLink(second.secret, undefined)).toBeUndefined();
  });

  test("a further link works for ten minutes, or for three days if its member has never signed in", async () => {
    const used = setUp();
    const lifeOf = async (id: string | undefined) =>
      ((await used.staff.newLink(id, system))?.expires_at ?? 0) - used.clock.at;
    const { id } = await invite(used);
    expect(await lifeOf(id)).toBe(3 * DAY);
    const { session } = await signedIn(used);
    expect(await lifeOf(session.staff_id)).toBe(10 * MINUTE);
    expect(await lifeOf(undefined), "the first owner, whose link a terminal shows").toBe(
      10 * MINUTE,
    );
  });

  test("an emailed link works for ten minutes, and revokes no other link until it is used", async () => {
    const used = setUp();
    const email = `${randomUUID()}@shop.example`;
    const name = named();
    const invited = await used.staff.invite({ name, email, role: "staff" }, system);
    const [one, other] = [
      ...(await used.staff.emailedLinks(email)),
      ...(await used.staff.emailedLinks(email.toUpperCase())),
    ];
    expect(one?.to).toBe(email);
    expect(await used.staff.emailedLinks("nobody@shop.example")).toEqual([]);
    const nameOf = (link?: string) => used.sessions.nameOfLink(secretOf(link));
    used.clock.at += 10 * MINUTE - 1;
    for (const link of [one?.link, other?.link, invited?.link.link])
      expect(await nameOf(link)).toBe(name);
    used.clock.at += 1;
    expect(await nameOf(other?.link)).toBeUndefined();
    expect(await nameOf(invited?.link.link)).toBe(name);
  });

  test("a sign-in by link revokes the other links of the same member of staff only", async () => {
    const used = setUp();
    const email = `${randomUUID()}@shop.example`;
    const [invited, other] = [
      await used.staff.invite({ name: named(), email, role: "owner" }, system),
      await invite(used),
    ];
    const [emailed] = await used.staff.emailedLinks(email);
    expect(await used.sessions.openByLink(secretOf(emailed?.link), undefined)).toBeDefined();
    expect(await used.sessions.openByLink(secretOf(invited?.link.link), undefined)).toBeUndefined();
    expect(await used.sessions.openByLink(other.secret, undefined)).toBeDefined();
  });

  test("of many sign-ins with one link in two processes at the same time, exactly one succeeds", async () => {
    const used = setUp();
    const { id, secret } = await invite(used);
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 === 0 ? used : used.other).sessions.openByLink(secret, undefined),
      ),
    );
    expect(all.filter((opened) => opened !== undefined)).toHaveLength(1);
    expect(await used.sessions.list(id)).toHaveLength(1);
  });

  test("a session ends a week after its last use, which is stored at most every two minutes", async () => {
    const used = setUp();
    const { id, secret } = await invite(used);
    const begun = used.clock.at;
    const opened = await used.sessions.openByLink(secret, "Firefox/140\u0007");
    const cookie = opened?.secret ?? "";
    const usedAt = async () => (await used.sessions.list(id))[0]?.used_at;
    used.clock.at = begun + 2 * MINUTE - 1;
    expect(await used.sessions.find(cookie)).toMatchObject({
      staff_id: id,
      browser: "Firefox/140",
    });
    expect(await usedAt()).toBe(begun);
    used.clock.at = begun + 2 * MINUTE;
    await used.other.sessions.find(cookie);
    expect(await usedAt()).toBe(begun + 2 * MINUTE);
    used.clock.at += WEEK - 1;
    const live = await used.sessions.openAmong([opened?.session.id ?? "", "unknown"]);
    expect([...live]).toEqual([opened?.session.id]);
    used.clock.at += 1;
    expect(await used.sessions.openAmong([opened?.session.id ?? ""])).toEqual(new Set());
    expect(await used.sessions.find(cookie)).toBeUndefined();
    expect(await used.sessions.list(id)).toEqual([]);
    expect(await used.sessions.end(opened?.session.id ?? "")).toBeUndefined();
  });

  test("a revocation beside sign-ins leaves nobody signed in, and both processes agree", async () => {
    const used = setUp();
    for (let round = 0; round < 5; round += 1) {
      const { id, secret } = await invite(used);
      const more = await used.staff.newLink(id, system);
      const [, one, two] = await Promise.all([
        used.staff.remove(id),
        used.other.sessions.openByLink(secret, undefined),
        used.sessions.openByLink(secretOf(more?.link), undefined),
      ]);
      for (const opened of [one, two]) {
        if (opened === undefined) continue;
        expect(await used.other.sessions.find(opened.secret)).toBeUndefined();
      }
      expect(await used.staff.newLink(id, system)).toBeUndefined();
      expect(await used.staff.remove(id)).toBeUndefined();
    }
  });

  /** A member of staff with a session, a passkey and a link that is not used. */
  async function withPasskey(used: ReturnType<typeof setUp>) {
    const { session } = await signedIn(used);
    const credential = { credential_id: randomUUID(), public_key: "key", counter: 1 };
    const passkey = await addPasskey(used, session, { name: "Laptop", credential });
    const link = await used.staff.newLink(session.staff_id, system);
    return {
      id: session.staff_id,
      session,
      secret: secretOf(link?.link),
      signed: { counter: 2, challengeId: await newChallengeId(used) },
      passkey: { ...credential, id: passkey?.id ?? "" },
    };
  }
  type Member = Awaited<ReturnType<typeof withPasskey>>;
  type Process = ReturnType<typeof processOn>;

  test.each<[string, string, (process: Process, member: Member) => Promise<unknown>]>([
    [
      "a sign-in by link",
      "staff",
      ({ sessions }, { secret }) => sessions.openByLink(secret, undefined),
    ],
    [
      "a sign-in by passkey",
      "staff",
      ({ passkeys }, { passkey, signed }) => passkeys.signIn(passkey, signed, undefined),
    ],
    ["a new link", "staff", ({ staff }, { id }) => staff.newLink(id, system)],
    [
      "a new passkey",
      "staff_sessions",
      (process, { session }) =>
        addPasskey(process, session, { name: "Phone", credential: newCredential() }),
    ],
  ])("a revocation in the middle of %s waits for it, and succeeds", async (_what, table, enter) => {
    const used = setUp();
    const member = await withPasskey(used);
    let revoking: Promise<unknown> | undefined;
    const entering = pausing(shop.database, table, async () => {
      revoking = used.other.staff.remove(member.id);
      await doneOrWaiting(shop, revoking);
    });
    expect(await enter(processOn(entering, used.clock), member)).toBeDefined();
    expect(await revoking).toMatchObject({ id: member.id });
    expect(await used.sessions.list(member.id)).toEqual([]);
    expect(await used.passkeys.list(member.id)).toEqual([]);
  });

  test("a new link revokes the earlier ones of the same member of staff only", async () => {
    const used = setUp();
    const [one, other] = [await invite(used), await invite(used)];
    const link = await used.staff.newLink(one.id, system);
    expect(await used.sessions.openByLink(one.secret, undefined)).toBeUndefined();
    expect(await used.sessions.openByLink(secretOf(link?.link), undefined)).toBeDefined();
    expect(await used.sessions.openByLink(other.secret, undefined)).toBeDefined();
  });

  test("a session ends after 90 days, however often it is used", async () => {
    const used = setUp();
    const { secret, session } = await signedIn(used);
    const begun = used.clock.at;
    const end = begun + 90 * DAY;
    while (used.clock.at < end - 6 * DAY) {
      used.clock.at += 6 * DAY;
      expect(await used.sessions.find(secret)).toBeDefined();
    }
    used.clock.at = end - 1;
    expect(await used.sessions.find(secret)).toBeDefined();
    expect(await used.sessions.openAmong([session.id])).toEqual(new Set([session.id]));
    used.clock.at = end;
    expect(await used.sessions.find(secret)).toBeUndefined();
    expect(await used.sessions.openAmong([session.id])).toEqual(new Set());
    await deleteExpired(used.database);
    const left = used.database.db
      .selectFrom("staff_sessions")
      .select("id")
      .where("id", "=", session.id);
    expect(await left.execute()).toEqual([]);
  });

  test("malformed secrets are not looked up", async () => {
    const used = setUp();
    let queries = 0;
    const db = new Proxy(used.database.db, {
      get(target, name) {
        if (name === "selectFrom" || name === "deleteFrom" || name === "transaction") queries += 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const counted = processOn({ ...shop.database, db }, used.clock);
    for (const wrong of ["", "x", "x".repeat(42), "x".repeat(44), `${"x".repeat(42)}=`]) {
      expect(await counted.sessions.find(wrong)).toBeUndefined();
      expect(await counted.sessions.openByLink(wrong, undefined)).toBeUndefined();
      expect(await counted.passkeys.challenges.find(wrong, "me")).toBeUndefined();
      expect(await counted.passkeys.challenges.find(wrong)).toBeUndefined();
    }
    expect(queries).toBe(0);
  });

  test("the cookie of a packer opens a session of their role", async () => {
    const { staff, sessions } = setUp();
    const invited = await staff.invite({ name: named(), role: "packer" }, system);
    const opened = await sessions.openByLink(secretOf(invited?.link.link), undefined);
    const secret = opened?.secret ?? "";
    expect(opened?.session.role).toBe("packer");
    expect(await sessions.find(secret)).toMatchObject({ role: "packer" });
    await sessions.endByCookie(secret);
    expect(await sessions.find(secret)).toBeUndefined();
  });

  test("the first owner is created once, also by two processes at the same time", async () => {
    const used = setUp();
    const links = await Promise.all([
      used.staff.newLink(undefined, system),
      used.other.staff.newLink(undefined, system),
    ]);
    expect(links.every((link) => link !== undefined)).toBe(true);
    const owners = (await used.staff.list()).filter(({ name }) => name === "Owner");
    expect(owners).toMatchObject([{ id: "owner", role: "owner", signed_in_at: null }]);
  });

  test("a challenge can be used once, by the member of staff it was created for, within five minutes", async () => {
    const used = setUp();
    const { passkeys, clock } = used;
    const { session } = await signedIn(used);
    const { challenges } = passkeys;
    const mine = await challenges.create(session.staff_id);
    expect(await challenges.find(mine.id), "a sign-in").not.toBe(mine.challenge);
    expect(await challenges.find(mine.id, "you")).not.toBe(mine.challenge);
    const found = await used.other.passkeys.challenges.find(mine.id, session.staff_id);
    expect(found).toBe(mine.challenge);
    const add = () =>
      passkeys.add(session, { name: "Key", credential: newCredential(), challengeId: mine.id });
    expect(await add()).toBeDefined();
    expect(await add()).toBeUndefined();
    const late = await challenges.create(session.staff_id);
    clock.at += 5 * MINUTE;
    expect(await challenges.find(late.id, session.staff_id)).toBeUndefined();
  });

  test("all processes accept a sign-in challenge for five minutes, and a request for one stores nothing", async () => {
    const used = setUp();
    const { challenges } = used.passkeys;
    const made = await challenges.create();
    expect(await used.other.passkeys.challenges.find(made.id)).toBe(made.challenge);
    expect((await challenges.create()).challenge).not.toBe(made.challenge);
    const longer = made.id.replace(/^\d+/, String(used.clock.at + 6 * MINUTE));
    expect(await challenges.find(longer), "nobody makes one that lasts longer").toBeUndefined();
    const rows = used.database.db
      .selectFrom("passkey_challenges")
      .select("id")
      .where("id", "=", made.id);
    expect(await rows.execute()).toEqual([]);
    used.clock.at += 5 * MINUTE;
    expect(await challenges.find(made.id)).toBeUndefined();
  });

  test("of two sign-ins with one count of a passkey, only one succeeds", async () => {
    const used = setUp();
    const { session } = await signedIn(used);
    const credential = { credential_id: randomUUID(), public_key: "key", counter: 1 };
    expect(await addPasskey(used, session, { name: "Laptop", credential })).toBeDefined();
    expect(
      await addPasskey(used, session, { name: "Again", credential }),
      "the same passkey",
    ).toBeUndefined();
    const found = await used.passkeys.find(credential.credential_id);
    if (found === undefined) throw new Error("it was added");
    const both = await Promise.all([
      used.passkeys.signIn(
        found,
        { counter: 2, challengeId: await newChallengeId(used) },
        undefined,
      ),
      used.other.passkeys.signIn(
        found,
        { counter: 2, challengeId: await newChallengeId(used) },
        undefined,
      ),
    ]);
    expect(both.filter((opened) => opened !== undefined)).toHaveLength(1);
  });

  test("only one of two sign-ins with the same challenge succeeds, even with a passkey without a counter", async () => {
    const used = setUp();
    const { session } = await signedIn(used);
    const credential = { credential_id: randomUUID(), public_key: "key", counter: 0 };
    await addPasskey(used, session, { name: "Phone", credential });
    const found = await used.passkeys.find(credential.credential_id);
    if (found === undefined) throw new Error("it was added");
    const signed = { counter: 0, challengeId: await newChallengeId(used) };
    const both = await Promise.all([
      used.passkeys.signIn(found, signed, undefined),
      used.other.passkeys.signIn(found, signed, undefined),
    ]);
    expect(both.filter((opened) => opened !== undefined)).toHaveLength(1);
    expect(await used.passkeys.signIn(found, signed, undefined)).toBeUndefined();
  });

  test("a session that ends adds no passkey, whichever comes first", async () => {
    const used = setUp();
    const { session } = await signedIn(used);
    const add = (name: string) => addPasskey(used, session, { name, credential: newCredential() });
    const [, ...added] = await Promise.all([
      used.other.sessions.end(session.id),
      add("Same moment"),
      add("Same moment"),
    ]);
    expect(await add("Later")).toBeUndefined();
    const kept = added.flatMap((passkey) => (passkey === undefined ? [] : [passkey.name]));
    expect((await used.passkeys.list(session.staff_id)).map(({ name }) => name)).toEqual(kept);
  });

  test("every change of sessions is published to the other processes", async () => {
    const used = setUp();
    const { id, secret } = await invite(used);
    const opened = await used.sessions.openByLink(secret, undefined);
    const before = used.topics.length;
    await used.sessions.end(opened?.session.id ?? "");
    await used.staff.remove(id);
    expect(used.topics.slice(before)).toEqual(["sessions", "sessions"]);
  });

  test("the cleanup deletes what has expired, and nothing else", async () => {
    const used = setUp();
    const { db } = used.database;
    // Later than all that other tests have stored.
    used.clock.at += 100 * WEEK;
    const old = await invite(used);
    await used.sessions.openByLink((await invite(used)).secret, undefined);
    const storeChallenge = async (id: string) => {
      const row = { id, challenge: "", staff_id: null, expires_at: used.clock.at + MINUTE };
      await db.insertInto("passkey_challenges").values(row).execute();
    };
    await storeChallenge("old");
    used.clock.at += WEEK;
    const fresh = await invite(used);
    const session = await used.sessions.openByLink((await invite(used)).secret, undefined);
    await storeChallenge("fresh");
    await deleteExpired(used.database);
    const links = await db.selectFrom("sign_in_links").select("staff_id").execute();
    expect(links.map(({ staff_id }) => staff_id)).toContain(fresh.id);
    expect(links.map(({ staff_id }) => staff_id)).not.toContain(old.id);
    expect(await db.selectFrom("staff_sessions").select("id").execute()).toEqual([
      { id: session?.session.id },
    ]);
    expect(await db.selectFrom("passkey_challenges").select("id").execute()).toEqual([
      { id: "fresh" },
    ]);
  });
});
