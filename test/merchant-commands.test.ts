import { randomUUID } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { paths, withId } from "@keepsats/protocol";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { paidOrder, placeOrder } from "./harness/customer.ts";
import { startFaultProxy, throughProxy } from "./harness/network.ts";
import { startShop } from "./harness/shop.ts";
import { type Circumstances, merchant, runMerchant } from "./harness/staff.ts";
import { useResource } from "./harness/use-resource.ts";

const shop = useResource(() => startShop());

/** How long a condition is waited for; only a failing test reaches it. */
const patient = { timeout: 30_000 };

const run = (args: readonly string[], circumstances?: Circumstances) =>
  runMerchant(shop, args, circumstances);
const asJson = async (...args: string[]) => JSON.parse((await run([...args, "--json"])).out);
const show = (id: string) => asJson("orders", "show", id);

describe("orders find", () => {
  test("prints what the search finds, and the same as JSON", async () => {
    const { id } = await placeOrder(shop, {
      customer_name: "Rózsa Péter",
      customer_email: "rozsa@math.example",
    });
    await expect
      .poll(async () => (await run(["orders", "find", "rozsa"])).out, patient)
      .toContain(id.slice(0, 8));
    const found = await run(["orders", "find", "PETER", "moka", "--status", "pending"]);
    expect(found.out).toMatch(
      new RegExp(`^${id.slice(0, 8)} .* Pending +\\$45\\.00 +Rózsa Péter <rozsa@math`, "m"),
    );
    expect(await asJson("orders", "find", "rozsa")).toMatchObject([
      { id, customer_name: "Rózsa Péter", customer_email: "rozsa@math.example", total_price: 45 },
    ]);
    expect((await run(["orders", "find", "nobody at all"])).out).toBe("No orders.\n");
    const [today = ""] = new Date().toISOString().split("T");
    const filters = ["--from", today, "--to", today, "--min-total", "45", "--max-total", "45"];
    expect(
      (await asJson("orders", "find", "rozsa", ...filters, "--updated-since", today)).length,
    ).toBe(1);
  });

  test.each([
    [["orders", "find"], /^error: missing required argument 'text'/],
    [["orders", "find", "x".repeat(10_240)], /q: must have at most 200 characters/],
    [["orders", "find", "a", "--from", "yesterday"], /from: must be a day/],
    [["orders", "list", "--min-total", "-5"], /min_total: must be an amount/],
    [
      ["orders", "list", "--status", "\u001b[31mred"],
      /^error: option '--status <status>' argument '\ufffd\[31mred' is invalid\. It takes one of Pending/,
    ],
    [["orders", "list", "--carrier", "DHL"], /^error: unknown option '--carrier'/],
    [["orders", "show"], /^error: missing required argument 'id'[\s\S]*Usage: .* orders show /],
  ])("%j is refused with exit code 2", async (args, message) => {
    const ended = await run(args);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.err).toMatch(message);
  });
});

describe("orders export", () => {
  test("writes a new file, and keeps one that exists", async () => {
    const { id } = await placeOrder(shop, {
      customer_name: "=HYPERLINK(1);=1",
      customer_email: "formula@example.org",
    });
    await expect
      .poll(async () => (await asJson("orders", "find", "hyperlink")).length, patient)
      .toBe(1);
    expect(await run(["orders", "export", "found.csv", "--find", "hyperlink"])).toMatchObject({
      code: 0,
    });
    const file = join(shop.folder, "found.csv");
    const rows: Record<string, string>[] = parse(await readFile(file), {
      bom: true,
      columns: true,
    });
    expect(rows).toMatchObject([{ id, customer_name: "'=HYPERLINK(1);'=1", total: "45.00" }]);
    await writeFile(file, "mine");
    const again = await run(["orders", "export", "found.csv"]);
    expect(again).toMatchObject({ code: 2 });
    expect(again.err).toContain("found.csv cannot be written");
    expect(await readFile(file, "utf8")).toBe("mine");
  });

  test("that is refused makes no file", async () => {
    const before = await readdir(shop.folder);
    expect(await run(["orders", "export", "none.csv", "--from", "x"])).toMatchObject({ code: 2 });
    expect(await run(["orders", "export", "none.csv"], { token: "wrong" })).toMatchObject({
      code: 5,
    });
    expect(await run(["orders", "export", "no/such/folder.csv"])).toMatchObject({ code: 2 });
    expect(await readdir(shop.folder)).toEqual(before);
  });
});

test("an order is shipped with its tracking, delivered and noted; its history says who did it", async () => {
  const till = await asJson("tokens", "new", "till-7", "--role", "staff");
  const as = { token: String(till.token) };
  const { id } = await paidOrder(shop);
  const short = id.slice(0, 8);
  const note = await run(["orders", "note", `#${short}`, "wants it", "before Friday"], as);
  expect(note.out).toBe(`The note is stored with order ${short}.\n`);
  const link = "https://dhl.example/JD01";
  const shipped = await run(
    ["orders", "ship", id, "--carrier", "DHL", "--tracking", "JD01", "--link", link],
    as,
  );
  expect(shipped.out).toBe(`Order ${short} is Shipped now.\n`);
  expect((await run(["orders", "deliver", id], as)).code).toBe(0);

  const shown = await show(id);
  expect(shown).toMatchObject({
    status: "Delivered",
    carrier: "DHL",
    tracking_number: "JD01",
    tracking_url: link,
    notes: [{ text: "wants it before Friday", by_name: "till-7" }],
  });
  const { out } = await run(["orders", "show", id]);
  expect(out).toMatch(/^Shipped DHL, JD01, https:\/\/dhl\.example\/JD01$/m);
  expect(out).toMatch(/noted +till-7\n +wants it before Friday/);
  expect(out).toMatch(/PaymentProcessed → Shipped +till-7\n +Carrier DHL/);
  expect(out).toMatch(/Shipped → Delivered +till-7/);
});

test("a cancelled order tells the shopper why, and is shown without its person once it is erased", async () => {
  const { id } = await placeOrder(shop);
  const message = ["--reason", "sold out", "--message", "We are sorry."];
  expect(await run(["orders", "cancel", id, ...message])).toMatchObject({ code: 0 });
  expect((await run(["orders", "show", id])).out).toMatch(/^Message We are sorry\.$/m);
  await merchant(shop, "POST", withId(paths.merchant.erasure, id));
  expect(await show(id)).toMatchObject({ customer_name: "", erased_at: expect.any(Number) });
  expect((await run(["orders", "show", id])).out).toMatch(/^For {5}erased at /m);
});

test("a fault of the program fails the test that meets it", async () => {
  const { id } = await paidOrder(shop);
  const fault = () => Promise.reject(new TypeError("a fault"));
  await expect(run(["orders", "cancel", id], { answer: fault })).rejects.toThrow("a fault");
});

describe("refunds and payment issues", () => {
  test("a refund and a note whose answers were lost are recorded once when repeated with the printed keys", async () => {
    const { id } = await paidOrder(shop);
    await run(["orders", "cancel", id, "--yes"]);
    const { hostname: host, port } = new URL(shop.url);
    const proxy = await startFaultProxy({ host, port: Number(port) });
    const through = { url: throughProxy(shop.url, proxy) };
    // With the sum that was refunded before, the first request is the refund.
    const refund = ["orders", "refund", id, "5", "--method", "cash", "--expected-refunded", "0"];
    proxy.set("unanswered");
    const lost = await run(refund, through);
    expect(lost).toMatchObject({ code: 5, out: "" });
    expect(lost.err).toMatch(/^The shop at http:\S+ gave no answer: /);
    const [, key = ""] =
      /\nIt may be recorded\. Repeat it with --key (\S+), which records it once\.$/.exec(
        lost.err,
      ) ?? [];
    expect(key).not.toBe("");
    expect((await run([...refund, "--key", key], through)).err).toContain(`--key ${key},`);
    const note = ["orders", "note", id, "Paid in cash"];
    const [, noteKey = ""] = /--key (\S+),/.exec((await run(note, through)).err) ?? [];
    proxy.set("none");
    for (let repetition = 0; repetition < 2; repetition += 1)
      await run([...note, "--key", noteKey], through);
    expect(await show(id)).toMatchObject({ notes: [{ text: "Paid in cash" }] });
    const repeated = await run([...refund, "--key", key], through);
    expect(repeated.out).toBe("The refund is recorded: $5.00 refunded, $40.00 is still due.\n");
    await proxy.close();
    // Under another name: a kept connection may not know yet that it is closed.
    const away = await run(refund, { url: through.url.replace("127.0.0.1", "localhost") });
    expect(away).toMatchObject({ code: 5, err: expect.stringContaining("cannot be reached") });
    expect(away.err).not.toContain("--key");
  });

  test("a paid order that is cancelled is refunded in two parts, and its payment issue is resolved", async () => {
    const { id } = await paidOrder(shop);
    expect((await run(["orders", "cancel", id, "--yes"])).code).toBe(0);
    expect((await run(["payment-issues", "list"])).out).toMatch(
      new RegExp(`paid-after-cancel +${id.slice(0, 8)} +\\$45\\.00`),
    );
    const early = await run([
      "payment-issues",
      "resolve",
      id,
      "--as",
      "refunded",
      "--note",
      "sent",
    ]);
    expect(early).toMatchObject({ code: 4 });
    expect(early.err).toBe(
      `Record a refund of $45.00 first.\n  payment-issues refund ${id} 45.00 --method "bank transfer"`,
    );

    const first = await run([
      "orders",
      "refund",
      id,
      "20",
      "--method",
      "bank transfer",
      "--key",
      `${id}-1`,
    ]);
    expect(first.out).toBe("The refund is recorded: $20.00 refunded, $25.00 is still due.\n");
    const repeated = await run([
      "orders",
      "refund",
      id,
      "20",
      "--method",
      "bank transfer",
      "--key",
      `${id}-1`,
    ]);
    expect(repeated.out).toBe(first.out);
    const [{ id: issue, open_amount, refunded_amount }] = (await show(id)).payment_issues;
    expect({ open_amount, refunded_amount }).toEqual({ open_amount: 25, refunded_amount: 20 });
    expect(await asJson("payment-issues", "list")).toContainEqual(
      expect.objectContaining({ id: issue, open_amount: 25 }),
    );
    expect((await run(["payment-issues", "show", issue])).out).toContain(
      `  payment-issues refund ${issue} 25.00 --method "bank transfer"\n`,
    );
    expect(await run(["orders", "refund", id, "25.01", "--method", "cash"])).toMatchObject({
      code: 4,
    });
    const last = await run([
      ...["payment-issues", "refund", id, "25", "--method", "cash"],
      ...["--reference", "till 3", "--reason", "sent on Monday"],
    ]);
    expect(last.out).toBe("The refund is recorded: $45.00 refunded, nothing more is due.\n");

    const { out: resolved } = await run(["payment-issues", "show", id.slice(0, 8)]);
    expect(resolved).toMatch(/^Money {5}refunded \$45\.00$/m);
    expect(resolved).toMatch(/^Resolved {2}Refunded by merchant: /m);
    expect(resolved).not.toMatch(/payment-issues (refund|reopen)/);
    expect((await run(["payment-issues", "list"])).out).not.toContain(id.slice(0, 8));
    const listed = async (kind: string) =>
      (await run(["payment-issues", "list", "--resolved", "--kind", kind])).out;
    expect(await listed("paid-after-cancel")).toContain(id.slice(0, 8));
    expect(await listed("disputed")).toBe("No resolved disputed payment issues.\n");
    expect((await run(["payment-issues", "list", "--all"])).out).toContain(id.slice(0, 8));
    const resolve = ["payment-issues", "resolve", id, "--as", "dismissed", "--note", "again"];
    expect(await run(resolve)).toMatchObject({
      code: 3,
      err: "This order has no open payment issue.",
    });
    expect(await run(["payment-issues", "reopen", issue, "--note", "wrong"])).toMatchObject({
      code: 4,
      err: expect.stringContaining("reverse it"),
    });
    const { out } = await run(["orders", "show", id]);
    expect(out).toMatch(/^Money {3}received \$45\.00, refunded \$45\.00$/m);
    expect(out).toMatch(
      /Refunded +\$25\.00 +merchant\n +loan \S+,\s+refund [\da-f]{8},\s+cash,\s+till\s+3,\s+sent\s+on\s+Monday/,
    );
  });

  test("an underpaid loan is accepted, and the order is paid", async () => {
    const { id } = await placeOrder(shop);
    await shop.lender.fund({ amount: "45.00", orderId: id, dial: "wrong-amount" });
    await expect
      .poll(async () => (await show(id)).payment_issues[0]?.open_amount, patient)
      .toBe(22.5);
    const [issue] = (await show(id)).payment_issues;
    const short = id.slice(0, 8);
    expect((await run(["orders", "show", id])).out).toContain(
      `Money   received $22.50, refundable $22.50\nIssues  1 open: payment-issues show ${short}\n`,
    );
    const { out } = await run(["payment-issues", "show", short]);
    for (const way of [
      `payment-issues refund ${short} 22.50 --method "bank transfer"`,
      `payment-issues resolve ${short} --as accepted --note "`,
    ])
      expect(out).toContain(`  ${way}`);
    const accepted = await asJson(
      "payment-issues",
      "resolve",
      issue.id,
      "--as",
      "accepted",
      "--note",
      "a friend",
    );
    expect(accepted).toMatchObject({
      id: issue.id,
      resolution: { kind: "accepted", by: "merchant" },
    });
    expect(await show(id)).toMatchObject({ status: "PaymentProcessed" });
    expect((await run(["orders", "show", id])).out).toContain(
      "Money   received $22.50, kept $22.50, waived $22.50\n",
    );
    const again = await run([
      "payment-issues",
      "resolve",
      issue.id,
      "--as",
      "accepted",
      "--note",
      "again",
    ]);
    expect(again).toMatchObject({ code: 4 });
  });

  test("a decision is taken back, and the payment issue is open again", async () => {
    const { id } = await paidOrder(shop);
    await run(["orders", "cancel", id, "--yes"]);
    const keep = ["payment-issues", "resolve", id, "--as", "accepted", "--note", "a gift"];
    expect((await run(keep)).out).toBe(
      "The payment issue paid-after-cancel is resolved: accepted.\n",
    );
    const reopen = ["payment-issues", "reopen", id, "--note", "no gift"];
    expect((await run(reopen)).out).toBe("The payment issue paid-after-cancel is open again.\n");
    expect(await run(reopen)).toMatchObject({ code: 3 });
    const { out } = await run(["orders", "show", id]);
    expect(out).toMatch(/Kept +\$45\.00 +merchant\n.*a gift/);
    expect(out).toMatch(/Kept: undone +-\$45\.00 +merchant\n.*no gift/);
  });

  test("a paid order whose address was changed ships only with --yes", async () => {
    const { id } = await paidOrder(shop);
    const address = {
      ...{ street: "1 Road", city: "Rome", state: "RM", postal_code: "1", country: "Italy" },
    };
    await merchant(shop, "PATCH", withId(paths.merchant.order, id), { shipping_address: address });
    const asked = await run(["orders", "ship", id]);
    expect(asked).toMatchObject({ code: 2, out: "" });
    expect(asked.err).toContain("The shipping address was changed after the payment");
    expect((await run(["orders", "ship", id, "--yes"])).out).toContain("is Shipped now.");
  });

  test("a paid order with a dispute ships only with --despite-issue, or after a question", async () => {
    const { id, loanId } = await paidOrder(shop);
    const issue = { id: randomUUID(), loan_id: loanId, order_id: id, kind: "disputed" };
    await shop.database.db
      .insertInto("payment_issues")
      .values({ ...issue, detail: "It is disputed.", opened_at: 1 })
      .execute();
    const ship = (options: readonly string[] = [], circumstances?: Circumstances) =>
      run(["orders", "ship", id, ...options], circumstances);
    expect(await ship(["--yes"])).toMatchObject({
      ...{ code: 4, out: "" },
      err: expect.stringMatching(
        /disputed\. Add --despite-issue to ship it; nothing was changed\.$/,
      ),
    });
    expect(await ship([], { answer: async () => "n" })).toMatchObject({
      ...{ code: 2, err: "Nothing was changed." },
      asked: [expect.stringContaining("reports a dispute about a loan. It is disputed. Ship it?")],
    });
    expect(await show(id)).toMatchObject({ status: "PaymentProcessed" });
    expect((await ship(["--despite-issue"])).out).toBe(`Order ${id.slice(0, 8)} is Shipped now.\n`);
  });

  test("a refund of money that another refund has changed is refused", async () => {
    const { id } = await paidOrder(shop);
    await run(["orders", "cancel", id, "--yes"]);
    const refund = ["orders", "refund", id, "5", "--method", "cash"];
    expect(await run([...refund, "--expected-refunded", "0"])).toMatchObject({ code: 0 });
    expect(await run([...refund, "--expected-refunded", "0"])).toMatchObject({
      ...{ code: 4, out: "" },
      err: "By now $5.00 of this order has been refunded. This refund was not recorded.",
    });
    expect(await run(refund)).toMatchObject({ code: 0 });
    expect(await show(id)).toMatchObject({ ledger: { refunded: 10 } });
  });

  test("a refund that did not arrive is reversed once, and its payment issue is open again", async () => {
    const { id } = await paidOrder(shop);
    await run(["orders", "cancel", id, "--yes"]);
    const refunded = await asJson("orders", "refund", id, "45", "--method", "cash");
    const { out } = await run(["orders", "show", id]);
    const refund = String(refunded.id).slice(0, 8);
    expect(out).toContain(`refund ${refund}`);
    const reverse = (named: string) =>
      run(["refunds", "reverse", id.slice(0, 8), named, "--reason", "The account is closed"]);
    expect(await reverse("another")).toMatchObject({
      ...{ code: 3, err: "No refund of it is named another." },
    });
    expect((await reverse(refund)).out).toBe(
      "The refund is reversed: nothing refunded, $45.00 is still due.\n",
    );
    expect((await run(["payment-issues", "list"])).out).toContain(id.slice(0, 8));
    expect((await run(["orders", "show", id])).out).toMatch(
      /Refund did not arrive +\$45\.00 +merchant\n[^$]*The\s+account\s+is\s+closed/,
    );
    expect(await reverse(refund)).toMatchObject({
      ...{ code: 4, err: "This refund was reversed before. Nothing was recorded." },
    });
  });

  test("a payment issue without money is not refunded, and can be dismissed", async () => {
    const { id } = await placeOrder(shop);
    const issueId = randomUUID();
    const issue = { id: issueId, loan_id: "a-loan", order_id: id, kind: "underpaid" };
    await shop.database.db
      .insertInto("payment_issues")
      .values({ ...issue, detail: "It lends $1.00.", opened_at: 1 })
      .execute();
    expect(await asJson("payment-issues", "show", issueId)).toMatchObject([{ open_amount: 0 }]);
    const resolve = (as: string) =>
      run(["payment-issues", "resolve", id, "--as", as, "--note", "asked"]);
    expect(await resolve("refunded")).toMatchObject({ code: 4, out: "" });
    expect(await resolve("accepted")).toMatchObject({ code: 4, out: "" });
    expect(await resolve("dismissed")).toMatchObject({ code: 0 });
  });

  test.each(["0", "1.234", "-5", "1e3", "x", ""])(
    "a refund of %j is refused with exit code 2",
    async (amount) => {
      const { id } = await placeOrder(shop);
      expect(await run(["orders", "refund", id, "--method", "cash", "--", amount])).toMatchObject({
        code: 2,
      });
    },
  );

  test.each([
    [["payment-issues", "resolve", "0e4b3a51", "--as", "lost", "--note", "x"], 2],
    [["payment-issues", "resolve", "0e4b3a51", "--note", "x"], 2],
    [["payment-issues", "resolve", "0e4b3a51", "--as", "dismissed"], 2],
    [["payment-issues", "resolve", "0e4b3a51", "--as", "dismissed", "--note", "x"], 3],
    [["payment-issues", "show", "not-an-id"], 3],
    [["payment-issues", "refund", "0e4b3a51", "5"], 2],
    [["payment-issues", "reopen", "0e4b3a51"], 2],
    [["payment-issues", "reopen", "0e4b3a51", "--note", "x"], 3],
    [["payment-issues", "refund", "0e4b3a51", "5", "--method", "cash"], 3],
    [["refunds", "reverse", "0e4b3a51", "7c1f09d2"], 2],
    [["refunds", "reverse", "0e4b3a51", "7c1f09d2", "--reason", "x"], 3],
    [["orders", "refund", "0e4b3a51", "5", "--method", "cash", "--expected-refunded", "x"], 2],
    [["payment-issues", "list", "--kind", "lost"], 2],
    [["orders", "refund", "0e4b3a51", "5"], 2],
    [["orders", "refund", "0e4b3a51", "5", "--method", "cash"], 3],
    [["orders", "note", "0e4b3a51", "text"], 3],
  ])("%j ends with exit code %i", async (args, code) => {
    expect(await run(args)).toMatchObject({ code, out: "" });
  });
});

test("a link that a browser would run is refused", async () => {
  const { id } = await paidOrder(shop);
  const ended = await run(["orders", "ship", id, "--link", "javascript:alert(1)"]);
  expect(ended).toMatchObject({ code: 2 });
  expect(ended.err).toContain(
    "tracking_url: must be an address that starts with https:// or http://",
  );
  expect(await show(id)).toMatchObject({ status: "PaymentProcessed" });
});

test("a note of a megabyte is refused, and none is stored", async () => {
  const { id } = await placeOrder(shop);
  const long = await merchant(shop, "POST", `/api/merchant/orders/${id}/notes`, {
    text: "x".repeat(1_000_000),
  });
  expect(long).toMatchObject({ status: 413, body: { code: "too_large" } });
  expect(await run(["orders", "note", id, "x".repeat(5_001)])).toMatchObject({ code: 2 });
  expect(await show(id)).toMatchObject({ notes: [] });
});

test("a shop that is not there is exit code 5", async () => {
  const ended = await run(["orders", "list"], { url: "http://127.0.0.1:9" });
  expect(ended).toMatchObject({ code: 5 });
});
