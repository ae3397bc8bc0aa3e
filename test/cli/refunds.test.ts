import { randomUUID } from "node:crypto";
import { paths, withId } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { type Circumstances, runCli } from "../harness/cli.ts";
import { paidOrder, placeOrder } from "../harness/customer.ts";
import { sqlite } from "../harness/databases.ts";
import { anActiveLoan, aPayout, aPayoutWithoutOrder } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { startFaultProxy } from "../harness/network.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const shop = useResource(() => startShop());

const run = (line: string, circumstances?: Circumstances) => runCli(shop, line, circumstances);
const asJson = async (line: string) => JSON.parse((await run(`${line} --json`)).out);
const show = (id: string) => asJson(`orders show ${id}`);

describe("refunds and payment issues", () => {
  test("a refund and a note whose answers were lost are recorded once when repeated with the printed keys", async () => {
    const { id } = await paidOrder(shop);
    await run(`orders cancel ${id} --yes`);
    const proxy = await startFaultProxy(shop.url);
    const through = { url: proxy.url };
    // With the sum that was refunded before, the first request is the refund.
    const refund = `orders refund ${id} 5 --method cash --expected-refunded 0`;
    proxy.set("unanswered");
    const lost = await run(refund, through);
    expect(lost).toMatchObject({ code: 5, out: "" });
    expect(lost.err).toMatch(/^The shop at http:\S+ gave no answer: /);
    const [, key = ""] =
      /\nIt may be recorded\. Repeat it with --key (\S+), which records it once\.$/.exec(
        lost.err,
      ) ?? [];
    expect(key).not.toBe("");
    expect((await run(`${refund} --key ${key}`, through)).err).toContain(`--key ${key},`);
    const note = `orders note ${id} "Paid in cash"`;
    const [, noteKey = ""] = /--key (\S+),/.exec((await run(note, through)).err) ?? [];
    proxy.set("none");
    for (let repetition = 0; repetition < 2; repetition += 1)
      await run(`${note} --key ${noteKey}`, through);
    expect(await show(id)).toMatchObject({ notes: [{ text: "Paid in cash" }] });
    const repeated = await run(`${refund} --key ${key}`, through);
    expect(repeated.out).toBe("The refund is recorded: $5.00 refunded, $40.00 is still due.\n");
    await proxy.close();
    // Under another name: a kept connection may not know yet that it is closed.
    const away = await run(refund, { url: through.url.replace("127.0.0.1", "localhost") });
    expect(away).toMatchObject({ code: 5, err: expect.stringContaining("cannot be reached") });
    expect(away.err).not.toContain("--key");
  });

  test("a refund of a paid order needs a grant", async () => {
    const { id } = await paidOrder(shop);
    const refund = `orders refund ${id} 5 --method cash`;
    expect(await run(refund)).toMatchObject({ code: 4, err: expect.stringContaining("--grant") });
    expect((await run(`${refund} --grant goodwill`)).out).toBe(
      "The refund is recorded: $5.00 refunded, nothing more is due.\n",
    );
    expect((await run(`orders show ${id}`)).out).toMatch(/granted \$5\.00/);
    expect(await run(`${refund} --grant gift`)).toMatchObject({ code: 2 });
  });

  test("a paid order that is cancelled is refunded in two parts, and its payment issue is resolved", async () => {
    const { id } = await paidOrder(shop);
    expect((await run(`orders cancel ${id} --yes`)).code).toBe(0);
    expect((await run("payment-issues list")).out).toMatch(
      new RegExp(`paid-after-cancel +${id.slice(0, 8)} +\\$45\\.00`),
    );
    const early = await run(`payment-issues resolve ${id} --as refunded --note sent`);
    expect(early).toMatchObject({ code: 4 });
    expect(early.err).toBe(
      `Record a refund of $45.00 first.\n  payment-issues refund ${id} 45.00 --method "bank transfer"`,
    );

    const first = await run(`orders refund ${id} 20 --method "bank transfer" --key ${id}-1`);
    expect(first.out).toBe("The refund is recorded: $20.00 refunded, $25.00 is still due.\n");
    const repeated = await run(`orders refund ${id} 20 --method "bank transfer" --key ${id}-1`);
    expect(repeated.out).toBe(first.out);
    const [{ id: issue, open_amount, refunded_amount }] = (await show(id)).payment_issues;
    expect({ open_amount, refunded_amount }).toEqual({ open_amount: 25, refunded_amount: 20 });
    expect(await asJson("payment-issues list")).toContainEqual(
      expect.objectContaining({ id: issue, open_amount: 25 }),
    );
    expect((await run(`payment-issues show ${issue}`)).out).toContain(
      `  payment-issues refund ${issue} 25.00 --method "bank transfer"\n`,
    );
    expect(await run(`orders refund ${id} 25.01 --method cash`)).toMatchObject({
      code: 4,
    });
    const last = await run(
      `payment-issues refund ${id} 25 --method cash --reference "till 3" --reason "sent on Monday"`,
    );
    expect(last.out).toBe("The refund is recorded: $45.00 refunded, nothing more is due.\n");

    const { out: resolved } = await run(`payment-issues show ${id.slice(0, 8)}`);
    expect(resolved).toMatch(/^Money {5}refunded \$45\.00$/m);
    expect(resolved).toMatch(/^Resolved {2}Refunded by admin: /m);
    expect(resolved).not.toMatch(/payment-issues (refund|reopen)/);
    expect((await run("payment-issues list")).out).not.toContain(id.slice(0, 8));
    const listed = async (kind: string) =>
      (await run(`payment-issues list --resolved --kind ${kind}`)).out;
    expect(await listed("paid-after-cancel")).toContain(id.slice(0, 8));
    expect(await listed("disputed")).toBe("No resolved disputed payment issues.\n");
    expect((await run("payment-issues list --all")).out).toContain(id.slice(0, 8));
    const resolve = `payment-issues resolve ${id} --as dismissed --note again`;
    expect(await run(resolve)).toMatchObject({
      code: 3,
      err: "This order has no open payment issue.",
    });
    expect(await run(`payment-issues reopen ${issue} --note wrong`)).toMatchObject({
      code: 4,
      err: expect.stringContaining("reverse it"),
    });
    const { out } = await run(`orders show ${id}`);
    expect(out).toMatch(/^Money {3}received \$45\.00, refunded \$45\.00$/m);
    expect(out).toMatch(
      /Refunded +\$25\.00 +admin\n +loan \S+,\s+refund [\da-f]{8},\s+cash,\s+till\s+3,\s+sent\s+on\s+Monday/,
    );
  });

  test("an underpaid loan is accepted, and the order is paid", async () => {
    const { id } = await placeOrder(shop);
    await shop.sandbox.fund({ amount: "45.00", orderId: id, dial: "wrong-amount" });
    await expect.poll(async () => (await show(id)).payment_issues[0]?.open_amount).toBe(22.5);
    const [issue] = (await show(id)).payment_issues;
    const short = id.slice(0, 8);
    expect((await run(`orders show ${id}`)).out).toContain(
      `Money   received $22.50, refundable $22.50\nIssues  1 open: payment-issues show ${short}\n`,
    );
    const { out } = await run(`payment-issues show ${short}`);
    for (const way of [
      `payment-issues refund ${short} 22.50 --method "bank transfer"`,
      `payment-issues resolve ${short} --as accepted --note "`,
    ])
      expect(out).toContain(`  ${way}`);
    const accepted = await asJson(
      `payment-issues resolve ${issue.id} --as accepted --note "a friend"`,
    );
    expect(accepted).toMatchObject({
      id: issue.id,
      resolution: { kind: "accepted", by: "admin" },
    });
    expect(await show(id)).toMatchObject({ status: "PaymentProcessed" });
    expect((await run(`orders show ${id}`)).out).toContain(
      "Money   received $22.50, kept $22.50, waived $22.50\n",
    );
    const again = await run(`payment-issues resolve ${issue.id} --as accepted --note again`);
    expect(again).toMatchObject({ code: 4 });
  });

  test("a resolution is undone, and the payment issue reopens", async () => {
    const { id } = await paidOrder(shop);
    await run(`orders cancel ${id} --yes`);
    const keep = `payment-issues resolve ${id} --as accepted --note "a gift"`;
    expect((await run(keep)).out).toBe(
      "The payment issue paid-after-cancel is resolved: accepted.\n",
    );
    const reopen = `payment-issues reopen ${id} --note "no gift"`;
    expect((await run(reopen)).out).toBe("The payment issue paid-after-cancel is open again.\n");
    expect(await run(reopen)).toMatchObject({ code: 3 });
    const { out } = await run(`orders show ${id}`);
    expect(out).toMatch(/Kept +\$45\.00 +admin\n.*a gift/);
    expect(out).toMatch(/Kept: undone +-\$45\.00 +admin\n.*no gift/);
  });

  test("a paid order whose address was changed ships only with --yes", async () => {
    const { id } = await paidOrder(shop);
    const address = {
      street: "1 Road",
      city: "Rome",
      state: "RM",
      postal_code: "1",
      country: "Italy",
    };
    await callAdminApi(shop, "PATCH", withId(paths.admin.order, id), { shipping_address: address });
    const asked = await run(`orders ship ${id}`);
    expect(asked).toMatchObject({ code: 2, out: "" });
    expect(asked.err).toContain("The shipping address was changed after the payment");
    expect((await run(`orders ship ${id} --yes`)).out).toContain("is now Shipped.");
  });

  test("a paid order with a dispute ships only with --despite-issue, or after a question", async () => {
    const { id, loanId } = await paidOrder(shop);
    const issue = { id: randomUUID(), loan_id: loanId, order_id: id, kind: "disputed" };
    await shop.database.db
      .insertInto("payment_issues")
      .values({ ...issue, detail: "It is disputed.", opened_at: 1 })
      .execute();
    const ship = `orders ship ${id}`;
    expect(await run(`${ship} --yes`)).toMatchObject({
      code: 4,
      out: "",
      err: expect.stringMatching(
        /disputed\. Add --despite-issue to ship it; nothing was changed\.$/,
      ),
    });
    expect(await run(ship, { answer: async () => "n" })).toMatchObject({
      code: 2,
      err: "Nothing was changed.",
      asked: [expect.stringContaining("reports a dispute about a loan. It is disputed. Ship it?")],
    });
    expect(await show(id)).toMatchObject({ status: "PaymentProcessed" });
    expect((await run(`${ship} --despite-issue`)).out).toBe(
      `Order ${id.slice(0, 8)} is now Shipped.\n`,
    );
  });

  test("a refund of money that another refund has changed is refused", async () => {
    const { id } = await paidOrder(shop);
    await run(`orders cancel ${id} --yes`);
    const refund = `orders refund ${id} 5 --method cash`;
    expect(await run(`${refund} --expected-refunded 0`)).toMatchObject({ code: 0 });
    expect(await run(`${refund} --expected-refunded 0`)).toMatchObject({
      code: 4,
      out: "",
      err: "By now $5.00 of this order has been refunded. This refund was not recorded.",
    });
    expect(await run(refund)).toMatchObject({ code: 0 });
    expect(await show(id)).toMatchObject({ ledger: { refunded: 10 } });
  });

  test("a refund that did not arrive is reversed once, and its payment issue is open again", async () => {
    const { id } = await paidOrder(shop);
    await run(`orders cancel ${id} --yes`);
    const refunded = await asJson(`orders refund ${id} 45 --method cash`);
    const { out } = await run(`orders show ${id}`);
    const refund = String(refunded.id).slice(0, 8);
    expect(out).toContain(`refund ${refund}`);
    const reverse = (named: string) =>
      run(`refunds reverse ${id.slice(0, 8)} ${named} --reason "The account is closed"`);
    expect(await reverse("another")).toMatchObject({
      code: 3,
      err: "There is no refund with the id another.",
    });
    expect((await reverse(refund)).out).toBe(
      "The refund is reversed: nothing refunded, $45.00 is still due.\n",
    );
    expect((await run("payment-issues list")).out).toContain(id.slice(0, 8));
    expect((await run(`orders show ${id}`)).out).toMatch(
      /Refund did not arrive +\$45\.00 +admin\n[^$]*The\s+account\s+is\s+closed/,
    );
    expect(await reverse(refund)).toMatchObject({
      code: 4,
      err: "This refund was reversed before. Nothing was recorded.",
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
    expect(await asJson(`payment-issues show ${issueId}`)).toMatchObject([{ open_amount: 0 }]);
    const resolve = (as: string) => run(`payment-issues resolve ${id} --as ${as} --note asked`);
    expect(await resolve("refunded")).toMatchObject({ code: 4, out: "" });
    expect(await resolve("accepted")).toMatchObject({ code: 4, out: "" });
    expect(await resolve("dismissed")).toMatchObject({ code: 0 });
  });

  test.each(["0", "1.234", "-5", "1e3", "x", ""])(
    "a refund of %j is refused with exit code 2",
    async (amount) => {
      const { id } = await placeOrder(shop);
      expect(await run(`orders refund ${id} --method cash -- "${amount}"`)).toMatchObject({
        code: 2,
      });
    },
  );

  test.each([
    ["payment-issues resolve 0e4b3a51 --as lost --note x", 2],
    ["payment-issues resolve 0e4b3a51 --note x", 2],
    ["payment-issues resolve 0e4b3a51 --as dismissed", 2],
    ["payment-issues resolve 0e4b3a51 --as dismissed --note x", 3],
    ["payment-issues show not-an-id", 3],
    ["payment-issues refund 0e4b3a51 5", 2],
    ["payment-issues reopen 0e4b3a51", 2],
    ["payment-issues reopen 0e4b3a51 --note x", 3],
    ["payment-issues refund 0e4b3a51 5 --method cash", 3],
    ["refunds reverse 0e4b3a51 7c1f09d2", 2],
    ["refunds reverse 0e4b3a51 7c1f09d2 --reason x", 3],
    ["orders refund 0e4b3a51 5 --method cash --expected-refunded x", 2],
    ["payment-issues list --kind lost", 2],
    ["orders refund 0e4b3a51 5", 2],
    ["orders refund 0e4b3a51 5 --method cash", 3],
    ["orders note 0e4b3a51 text", 3],
  ])("%j ends with exit code %i", async (line, code) => {
    expect(await run(line)).toMatchObject({ code, out: "" });
  });

  test("payments that do not fit are listed", async () => {
    const { id } = await placeOrder(shop);
    const loanId = await shop.sandbox.fund({ amount: "45.00", orderId: id, dial: "wrong-amount" });
    await waitFor("the sweep", async () => (await run("payment-issues list")).out.includes(loanId));
    expect(JSON.parse((await run("payment-issues list --json")).out)).toContainEqual(
      expect.objectContaining({ order_id: id, loan_id: loanId, kind: "underpaid" }),
    );
  });
});

// Money that the sandbox does not report: other currencies, unknown amounts, no order.
describe.concurrent("the CLI", () => {
  const shop = useMoneyShop(sqlite);
  const run = (line: string) => runCli(shop.shop, line);
  const method = '--method "bank transfer"';

  test("shows and refunds money of another currency in that currency", async () => {
    const order = await shop.order();
    const short = order.id.slice(0, 8);
    await shop.report(aPayout(order, { loan_asset: "Eur" }));
    expect((await run("payment-issues list")).out).toMatch(
      new RegExp(`wrong-currency +${short} +12\\.00 EUR`),
    );
    const { out } = await run(`orders show ${short}`);
    expect(out).toMatch(/^Money {3}received 12\.00 EUR, refundable 12\.00 EUR$/m);
    expect(out).not.toContain("$0.00");
    const refund = `payment-issues refund ${short} 5 ${method}`;
    expect((await run(refund)).out).toBe(
      "The refund is recorded: 5.00 EUR refunded, 7.00 EUR can be refunded.\n",
    );
    const dollars = await run(`orders refund ${short} 7 ${method}`);
    expect(dollars).toMatchObject({ code: 4, out: "" });
    expect(dollars.err).not.toContain("$0.00");
    const rest = `orders refund ${short} 7 --currency EUR ${method}`;
    expect((await run(rest)).out).toBe(
      "The refund is recorded: 12.00 EUR refunded, nothing more is due.\n",
    );
  });

  test("shows an unknown amount as unknown, and refunds it for its payment issue only", async () => {
    const order = await shop.order();
    const short = order.id.slice(0, 8);
    await shop.report(aPayout(order, { loan_amount: "1e2" }));
    const { id } = await shop.issue(order, "underpaid");
    expect((await run("payment-issues list")).out).toMatch(
      new RegExp(`underpaid +${short} +unknown`),
    );
    const shown = (await run(`orders show ${short}`)).out;
    expect(shown).toMatch(/^Money {3}received unknown$/m);
    expect(shown).toMatch(/Received +unknown +provider/);
    expect((await run(`payment-issues show ${short}`)).out).toContain(
      `  payment-issues refund ${short} AMOUNT --method "bank transfer"`,
    );
    const refund = `orders refund ${short} 100 ${method}`;
    expect(await run(refund)).toMatchObject({
      code: 4,
      out: "",
      err: expect.stringMatching(/^Nothing can be refunded in USD\./),
    });
    expect((await run(`${refund} --issue ${id}`)).out).toBe(
      "The refund is recorded: $100.00 refunded, nothing more is due.\n",
    );
  });

  test("refuses a refund for a payment issue of another order", async () => {
    const order = await shop.cancelledOrder();
    const refund = `orders refund ${order.id} 5 ${method} --issue ${randomUUID()}`;
    expect(await run(refund)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("issue_id: is not a payment issue of this order"),
    });
  });

  test("shows the journal of money without an order, refunds it and reverses the refund", async () => {
    const loan = aPayoutWithoutOrder(12);
    await shop.report(loan);
    const { id } = await shop.issue(loan, "unknown-order");
    expect((await run("payment-issues list")).out).toContain(id);
    const { out } = await run(`payment-issues show ${id}`);
    expect(out).toMatch(/^received \$12\.00, refund due \$12\.00$/m);
    expect(out).toMatch(/Received +\$12\.00 +provider/);
    const refund = await run(`payment-issues refund ${id} 12 ${method} --json`);
    const refundId: string = JSON.parse(refund.out).id;
    expect((await run(`payment-issues show ${id}`)).out).toMatch(/^Resolved {2}Refunded/m);
    const reverse = `refunds reverse ${id} ${refundId.slice(0, 8)} --reason returned`;
    expect((await run(reverse)).out).toBe(
      "The refund is reversed: nothing refunded, $12.00 is still due.\n",
    );
    const writeOff = `payment-issues resolve ${id} --as written-off --note unclaimed`;
    expect((await run(writeOff)).out).toBe(
      "The payment issue unknown-order is resolved: written-off.\n",
    );
    expect((await run(`payment-issues reopen ${id} --note claimed`)).out).toBe(
      "The payment issue unknown-order is open again.\n",
    );
  });

  test("names the loans of a cancelled order that may still be paid out", async () => {
    const order = await shop.order();
    const loan = anActiveLoan(order);
    await shop.report(loan);
    const cancelled = await run(`orders cancel ${order.id}`);
    expect(cancelled.out).toBe(
      `Order ${order.id.slice(0, 8)} is now Cancelled.\nIf one of these loans is paid out, "payment-issues list" shows the refund due:\n  ${loan.id}  CollateralConfirmed\n`,
    );
    expect((await run(`orders cancel ${order.id}`)).out).toContain(`  ${loan.id}  `);
  });

  test("names the refund due in all currencies before and after an order is cancelled", async () => {
    const order = await shop.paidOrder();
    await shop.report(aPayout(order, { loan_asset: "Eur" }));
    const due = "$12.00 and 12.00 EUR";
    expect(await run(`orders cancel ${order.id}`)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining(`if you cancel it, you owe a refund of ${due}.`),
    });
    expect((await run(`orders cancel ${order.id} --yes`)).out).toContain(
      `It was paid: you owe a refund of ${due}.`,
    );
  });
});
