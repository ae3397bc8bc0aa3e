import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { paths, withId } from "@keepsats/protocol";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { type Circumstances, runCli } from "../harness/cli.ts";
import { isStatus, paidOrder, placeOrder, subscribe } from "../harness/customer.ts";
import { startShop, storeStatus } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const shop = useResource(() => startShop());

const run = (line: string, circumstances?: Circumstances) => runCli(shop, line, circumstances);
const asJson = async (line: string) => JSON.parse((await run(`${line} --json`)).out);
const show = (id: string) => asJson(`orders show ${id}`);

describe("orders", () => {
  test("are listed as a table and as JSON, by status too", async () => {
    const { id, number } = await paidOrder(shop);
    const table = await run("orders list");
    expect(table.out).toMatch(
      new RegExp(`${id.slice(0, 8)} +${number} .*PaymentProcessed +\\$45.00 +Ada Lovelace`),
    );
    const json = await run("orders list --status PaymentProcessed --json");
    expect(JSON.parse(json.out)).toContainEqual(expect.objectContaining({ id, total_price: 45 }));
    const paid: { status: string }[] = JSON.parse(json.out);
    expect(new Set(paid.map(({ status }) => status))).toEqual(new Set(["PaymentProcessed"]));
  });

  test("with hostile names and addresses of customers cannot forge lines of output", async () => {
    const forged = `Bob${" ".repeat(23)}1a2b3c4d  2026-11-22 10:00  PaymentProcessed  $1.00  Eve`;
    const { id } = await placeOrder(shop, {
      customer_name: forged,
      customer_email: `${"x".repeat(200)}@x.y`,
    });
    const listed = await run("orders list");
    expect(listed.out).toContain(id.slice(0, 8));
    for (const line of listed.out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const shown = await run(`orders show ${id}`);
    for (const line of shown.out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(shown.out).not.toMatch(/^1a2b3c4d/m);
  });

  test("with a status of a newer version are listed and shown with it, and are not moved", async () => {
    const { id } = await placeOrder(shop);
    storeStatus(shop, id, "Refunded");
    expect((await run("orders list")).out).toMatch(new RegExp(`${id.slice(0, 8)} .*Refunded`));
    expect((await run(`orders show ${id}`)).out).toContain("Refunded");
    const cancelled = await run(`orders cancel ${id} --yes`);
    expect(cancelled.err).toContain("An order that is Refunded cannot become Cancelled.");
    const moved = await callAdminApi(shop, "POST", `/api/admin/orders/${id}/transitions`, {
      to: "Cancelled",
      expected_status: "Pending",
    });
    expect(moved.body).toMatchObject({ code: "status_changed", current_status: "Refunded" });
  });

  test("are listed as none in an empty shop", async () => {
    await using empty = await startShop();
    const listed = await runCli(empty, "orders list --status delivered");
    expect(listed.out).toBe("No orders.\n");
  });

  test("are listed completely, over many pages, with --all", async () => {
    await Promise.all(Array.from({ length: 60 }, () => placeOrder(shop)));
    const some = await run("orders list");
    expect(some.out).toContain("use --all");
    const all: { id: string }[] = JSON.parse((await run("orders list --all --json")).out);
    const stored = await shop.database.db.selectFrom("orders").select("id").execute();
    expect(all.map(({ id }) => id).toSorted()).toEqual(stored.map(({ id }) => id).toSorted());
  });

  test("are shown with their history and loans, by their first 8 characters or number", async () => {
    const { id, number, loanId } = await paidOrder(shop);
    const { out } = await run(`orders show ${id.slice(0, 8)}`);
    expect(out).toContain(`Order ${id}`);
    expect(out).toContain(number);
    expect((await run(`orders show ${number.toLowerCase()}`)).out).toBe(out);
    expect(out).toMatch(/(?:Pending|PaymentProcessing) → PaymentProcessed/);
    expect(out).toContain(loanId);
    expect(JSON.parse((await run(`orders show ${id} --json`)).out)).toMatchObject({
      id,
      total_price: 45,
      items: [{ price: 45 }],
    });
  });

  test("are shipped and delivered, and their subscribers see it at once", async () => {
    const { id, loanId } = await paidOrder(shop);
    const subscriber = await subscribe(shop, id, loanId);
    expect(await run(`orders ship ${id.slice(0, 8)} --reason "parcel 123"`)).toMatchObject({
      code: 0,
    });
    await subscriber.until("the shipping", isStatus("Shipped"));
    expect((await run(`orders ship ${id}`)).out).toContain("was already Shipped");
    expect((await run(`orders deliver ${id} --json`)).out).toBe(
      `${JSON.stringify({ id, status: "Delivered", changed: true })}\n`,
    );
    await subscriber.until("the delivery", isStatus("Delivered"));
    await subscriber.close();
    expect((await run(`orders show ${id}`)).out).toContain("parcel 123");
  });

  test("that cannot move to a status stay unchanged, with exit code 4", async () => {
    const { id } = await placeOrder(shop);
    const { code, err } = await run(`orders ship ${id}`);
    expect(code).toBe(4);
    expect(err).toContain("An order that is Pending cannot become Shipped.");
    expect(await run(`orders cancel ${id}`)).toMatchObject({ code: 0 });
    expect(await run(`orders deliver ${id}`)).toMatchObject({ code: 4 });
  });

  test("that are cancelled show what happens to their payment", async () => {
    const { id } = await paidOrder(shop);
    expect((await run(`orders cancel #${id.slice(0, 8)} --yes`)).out).toBe(
      `Order ${id.slice(0, 8)} is now Cancelled.\nIt was paid: you owe a refund of $45.00.\n`,
    );
    const unpaid = await placeOrder(shop);
    expect((await run(`orders cancel ${unpaid.id}`)).out).toBe(
      `Order ${unpaid.id.slice(0, 8)} is now Cancelled.\n`,
    );
  });

  test("that are paid are cancelled only after a confirmation", async () => {
    const { id } = await paidOrder(shop);
    const unconfirmed = await run(`orders cancel ${id}`);
    expect(unconfirmed).toMatchObject({ code: 2, out: "" });
    expect(unconfirmed.err).toBe(
      `Order ${id.slice(0, 8)} is PaymentProcessed: if you cancel it, you owe a refund of $45.00. Add --yes to cancel it; nothing was changed.`,
    );
    const cancel = (answer: string) => run(`orders cancel ${id}`, { answer: async () => answer });
    expect(await cancel("")).toMatchObject({ code: 2, err: "Nothing was changed." });
    expect(JSON.parse((await run(`orders show ${id} --json`)).out).status).toBe("PaymentProcessed");
    expect(await cancel("y")).toMatchObject({
      code: 0,
      asked: [expect.stringMatching(/refund of \$45\.00\. Cancel it\? \[y\/N\] $/)],
    });
    expect(JSON.parse((await run(`orders show ${id} --json`)).out).status).toBe("Cancelled");
  });

  test("whose status changes before the confirmation stay unchanged, with exit code 4", async () => {
    const { id } = await paidOrder(shop);
    const cancelled = await run(`orders cancel ${id}`, {
      answer: async () => {
        await run(`orders ship ${id}`);
        return "y";
      },
    });
    expect(cancelled).toMatchObject({ code: 4, err: "The order is now Shipped." });
  });

  test("that were paid twice show the total refund before and after a cancellation, and loans that did not fit", async () => {
    const { id } = await paidOrder(shop);
    const small = await shop.sandbox.fund({ amount: "45.00", orderId: id, dial: "wrong-amount" });
    await shop.sandbox.fund({ amount: "50.00", orderId: id });
    const shown = async () => JSON.parse((await run(`orders show ${id} --json`)).out);
    // $50.00 of the second loan and the $22.50 of the one that lends too little.
    await waitFor("both further loans", async () => (await shown()).refund_due === 72.5);
    const { out } = await run(`orders show ${id}`);
    expect(out).toMatch(/^Money {3}received \$117\.50, kept \$45\.00, refund due \$72\.50$/m);
    expect(out).toMatch(/^Bill to +12 St James's Square, London/m);
    expect(out).toMatch(new RegExp(`underpaid +${small}\\n +It lends \\$`));
    expect((await run(`orders cancel ${id} --yes --json`)).out).toBe(
      `${JSON.stringify({ id, status: "Cancelled", changed: true, open_loans: [], refund_due: 117.5, other_currencies: [], unknown_amounts: 0 })}\n`,
    );
    expect((await shown()).refund_due).toBe(117.5);
    expect((await run(`orders cancel ${id}`)).out).toContain(
      "It was paid: you owe a refund of $117.50.",
    );
  });

  test("cannot be marked as paid", async () => {
    const { id } = await placeOrder(shop);
    const answer = await callAdminApi(shop, "POST", `/api/admin/orders/${id}/transitions`, {
      to: "PaymentProcessed",
    });
    expect(answer).toMatchObject({ status: 409, body: { code: "transition_refused" } });
  });

  test("that do not exist, or whose short id is ambiguous, cause exit code 3", async () => {
    expect(await run("orders show 00000000")).toMatchObject({ code: 3 });
    expect(await run("orders show %_")).toMatchObject({ code: 3 });
    const twins = ["a", "b"].map((end) => `deadbeef-0000-4000-8000-00000000000${end}`);
    const { db } = shop.database;
    for (const id of twins) {
      await db
        .insertInto("orders")
        .values({
          id,
          status: "Pending",
          version: 1,
          attempt_failed: 0,
          customer_name: "x",
          customer_email: "x@y.z",
          shipping_address: '{"street":"","city":"","state":"","postal_code":"","country":""}',
          billing_address: '{"street":"","city":"","state":"","postal_code":"","country":""}',
          total: 0,
          created_at: 0,
        })
        .execute();
    }
    const { code, err } = await run("orders show deadbeef");
    expect(code).toBe(3);
    expect(err).toContain("Several orders match");
    expect(await run(`orders show ${twins[0]}`)).toMatchObject({ code: 0 });
  });
});

describe("orders find", () => {
  test("prints the matching orders, also as JSON", async () => {
    const { id } = await placeOrder(shop, {
      customer_name: "Rózsa Péter",
      customer_email: "rozsa@math.example",
    });
    await expect.poll(async () => (await run("orders find rozsa")).out).toContain(id.slice(0, 8));
    const found = await run("orders find PETER moka --status pending");
    expect(found.out).toMatch(
      new RegExp(`^${id.slice(0, 8)} .* Pending +\\$45\\.00 +Rózsa Péter <rozsa@math`, "m"),
    );
    expect(await asJson("orders find rozsa")).toMatchObject([
      { id, customer_name: "Rózsa Péter", customer_email: "rozsa@math.example", total_price: 45 },
    ]);
    expect((await run('orders find "nobody at all"')).out).toBe("No orders.\n");
    const [today = ""] = new Date().toISOString().split("T");
    const filters = `--from ${today} --to ${today} --min-total 45 --max-total 45`;
    expect((await asJson(`orders find rozsa ${filters} --updated-since ${today}`)).length).toBe(1);
  });

  test.each([
    ["orders find", /^error: missing required argument 'text'/],
    [`orders find ${"x".repeat(10_240)}`, /q: must have at most 200 characters/],
    ["orders find a --from yesterday", /from: must be a day/],
    ["orders list --min-total -5", /min_total: must be an amount/],
    [
      "orders list --status \u001b[31mred",
      /^error: option '--status <status>' argument '\ufffd\[31mred' is invalid\. Expected one of Pending/,
    ],
    ["orders list --carrier DHL", /^error: unknown option '--carrier'/],
    ["orders show", /^error: missing required argument 'id'[\s\S]*Usage: .* orders show /],
  ])("%j is refused with exit code 2", async (line, message) => {
    const ended = await run(line);
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
    await expect.poll(async () => (await asJson("orders find hyperlink")).length).toBe(1);
    expect(await run("orders export found.csv --find hyperlink")).toMatchObject({
      code: 0,
    });
    const file = join(shop.folder, "found.csv");
    const rows: Record<string, string>[] = parse(await readFile(file), {
      bom: true,
      columns: true,
    });
    expect(rows).toMatchObject([{ id, customer_name: "'=HYPERLINK(1);'=1", total: "45.00" }]);
    await writeFile(file, "mine");
    const again = await run("orders export found.csv");
    expect(again).toMatchObject({ code: 2 });
    expect(again.err).toContain("found.csv cannot be written");
    expect(await readFile(file, "utf8")).toBe("mine");
  });

  test("that is refused makes no file", async () => {
    const before = await readdir(shop.folder);
    expect(await run("orders export none.csv --from x")).toMatchObject({ code: 2 });
    expect(await run("orders export none.csv", { token: "wrong" })).toMatchObject({
      code: 5,
    });
    expect(await run("orders export no/such/folder.csv")).toMatchObject({ code: 2 });
    expect(await readdir(shop.folder)).toEqual(before);
  });
});

test("an order is shipped with tracking, delivered and noted, and its history names the actor", async () => {
  const till = await asJson("tokens new till-7 --role staff");
  const as = { token: String(till.token) };
  const { id } = await paidOrder(shop);
  const short = id.slice(0, 8);
  const note = await run(`orders note #${short} "wants it" "before Friday"`, as);
  expect(note.out).toBe(`The note is stored with order ${short}.\n`);
  const link = "https://dhl.example/JD01";
  const shipped = await run(`orders ship ${id} --carrier DHL --tracking JD01 --link ${link}`, as);
  expect(shipped.out).toBe(`Order ${short} is now Shipped.\n`);
  expect((await run(`orders deliver ${id}`, as)).code).toBe(0);

  const shown = await show(id);
  expect(shown).toMatchObject({
    status: "Delivered",
    carrier: "DHL",
    tracking_number: "JD01",
    tracking_url: link,
    notes: [{ text: "wants it before Friday", by_name: "till-7" }],
  });
  const { out } = await run(`orders show ${id}`);
  expect(out).toMatch(/^Shipped DHL, JD01, https:\/\/dhl\.example\/JD01$/m);
  expect(out).toMatch(/noted +till-7\n +wants it before Friday/);
  expect(out).toMatch(/PaymentProcessed → Shipped +till-7\n +Carrier DHL/);
  expect(out).toMatch(/Shipped → Delivered +till-7/);
});

test("a cancelled order shows its message to the customer, and no personal data once it is erased", async () => {
  const { id } = await placeOrder(shop);
  const message = '--reason "sold out" --message "We are sorry."';
  expect(await run(`orders cancel ${id} ${message}`)).toMatchObject({ code: 0 });
  expect((await run(`orders show ${id}`)).out).toMatch(/^Message We are sorry\.$/m);
  await callAdminApi(shop, "POST", withId(paths.admin.erasure, id));
  expect(await show(id)).toMatchObject({ customer_name: "", erased_at: expect.any(Number) });
  expect((await run(`orders show ${id}`)).out).toMatch(/^For {5}erased at /m);
});

test("a link that a browser would run is refused", async () => {
  const { id } = await paidOrder(shop);
  const ended = await run(`orders ship ${id} --link javascript:alert(1)`);
  expect(ended).toMatchObject({ code: 2 });
  expect(ended.err).toContain(
    "tracking_url: must be an address that starts with https:// or http://",
  );
  expect(await show(id)).toMatchObject({ status: "PaymentProcessed" });
});

test("a note of a megabyte is refused, and none is stored", async () => {
  const { id } = await placeOrder(shop);
  const long = await callAdminApi(shop, "POST", `/api/admin/orders/${id}/notes`, {
    text: "x".repeat(1_000_000),
  });
  expect(long).toMatchObject({ status: 413, body: { code: "too_large" } });
  expect(await run(`orders note ${id} ${"x".repeat(5_001)}`)).toMatchObject({ code: 2 });
  expect(await show(id)).toMatchObject({ notes: [] });
});
