import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { follow, isStatus, paidOrder, placeOrder } from "./harness/customer.ts";
import { startShop, storeStatus } from "./harness/shop.ts";
import { type Circumstances, merchant, runMerchant } from "./harness/staff.ts";
import { useResource } from "./harness/use-resource.ts";
import { waitFor } from "./harness/wait-for.ts";

// Thousands of items are imported here: they are read again seldom.
const shop = useResource(() => startShop({ times: { reread: 30_000 } }));

const run = (args: readonly string[], circumstances?: Circumstances) =>
  runMerchant(shop, args, circumstances);

describe("orders", () => {
  test("are listed as a table and as JSON, by status too", async () => {
    const { id } = await paidOrder(shop);
    const table = await run(["orders", "list"]);
    expect(table.out).toMatch(
      new RegExp(`${id.slice(0, 8)} .*PaymentProcessed +\\$45.00 +Ada Lovelace`),
    );
    const json = await run(["orders", "list", "--status", "PaymentProcessed", "--json"]);
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
    const listed = await run(["orders", "list"]);
    expect(listed.out).toContain(id.slice(0, 8));
    for (const line of listed.out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const shown = await run(["orders", "show", id]);
    for (const line of shown.out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(shown.out).not.toMatch(/^1a2b3c4d/m);
  });

  test("with a status of a newer version are listed and shown with it, and are not moved", async () => {
    const { id } = await placeOrder(shop);
    storeStatus(shop, id, "Refunded");
    expect((await run(["orders", "list"])).out).toMatch(new RegExp(`${id.slice(0, 8)} .*Refunded`));
    expect((await run(["orders", "show", id])).out).toContain("Refunded");
    const cancelled = await run(["orders", "cancel", id, "--yes"]);
    expect(cancelled.err).toContain("An order that is Refunded cannot become Cancelled.");
    const moved = await merchant(shop, "POST", `/api/merchant/orders/${id}/transitions`, {
      to: "Cancelled",
      expected_status: "Pending",
    });
    expect(moved.body).toMatchObject({ code: "status_changed", current_status: "Refunded" });
  });

  test("are listed as none in an empty shop", async () => {
    await using empty = await startShop();
    const listed = await runMerchant(empty, ["orders", "list", "--status", "delivered"]);
    expect(listed.out).toBe("No orders.\n");
  });

  test("are listed completely, over many pages, with --all", async () => {
    await Promise.all(Array.from({ length: 60 }, () => placeOrder(shop)));
    const some = await run(["orders", "list"]);
    expect(some.out).toContain("use --all");
    const all: { id: string }[] = JSON.parse(
      (await run(["orders", "list", "--all", "--json"])).out,
    );
    const stored = await shop.database.db.selectFrom("orders").select("id").execute();
    expect(all.map(({ id }) => id).toSorted()).toEqual(stored.map(({ id }) => id).toSorted());
  });

  test("are shown with their history and loans, by their first 8 characters", async () => {
    const { id, loanId } = await paidOrder(shop);
    const { out } = await run(["orders", "show", id.slice(0, 8)]);
    expect(out).toContain(`Order ${id}`);
    expect(out).toMatch(/(?:Pending|PaymentProcessing) → PaymentProcessed/);
    expect(out).toContain(loanId);
    expect(JSON.parse((await run(["orders", "show", id, "--json"])).out)).toMatchObject({
      id,
      total_price: 45,
      items: [{ price: 45 }],
    });
  });

  test("are shipped and delivered, and their followers see it at once", async () => {
    const { id, loanId } = await paidOrder(shop);
    const follower = await follow(shop, id, loanId);
    expect(await run(["orders", "ship", id.slice(0, 8), "--reason", "parcel 123"])).toMatchObject({
      code: 0,
    });
    await follower.until("the shipping", isStatus("Shipped"));
    expect((await run(["orders", "ship", id])).out).toContain("was Shipped already");
    expect((await run(["orders", "deliver", id, "--json"])).out).toBe(
      `${JSON.stringify({ id, status: "Delivered", changed: true })}\n`,
    );
    await follower.until("the delivery", isStatus("Delivered"));
    await follower.close();
    expect((await run(["orders", "show", id])).out).toContain("parcel 123");
  });

  test("that cannot move to a status stay unchanged, with exit code 4", async () => {
    const { id } = await placeOrder(shop);
    const { code, err } = await run(["orders", "ship", id]);
    expect(code).toBe(4);
    expect(err).toContain("An order that is Pending cannot become Shipped.");
    expect(await run(["orders", "cancel", id])).toMatchObject({ code: 0 });
    expect(await run(["orders", "deliver", id])).toMatchObject({ code: 4 });
  });

  test("that are cancelled show what happens to their payment", async () => {
    const { id } = await paidOrder(shop);
    expect((await run(["orders", "cancel", `#${id.slice(0, 8)}`, "--yes"])).out).toBe(
      `Order ${id.slice(0, 8)} is Cancelled now.\nIt was paid: you owe a refund of $45.00.\n`,
    );
    const unpaid = await placeOrder(shop);
    expect((await run(["orders", "cancel", unpaid.id])).out).toBe(
      `Order ${unpaid.id.slice(0, 8)} is Cancelled now.\n`,
    );
  });

  test("that are paid are cancelled only after a confirmation", async () => {
    const { id } = await paidOrder(shop);
    const unconfirmed = await run(["orders", "cancel", id]);
    expect(unconfirmed).toMatchObject({ code: 2, out: "" });
    expect(unconfirmed.err).toBe(
      `Order ${id.slice(0, 8)} is PaymentProcessed: if you cancel it, you owe a refund of $45.00. Add --yes to cancel it; nothing was changed.`,
    );
    const cancel = (answer: string) =>
      run(["orders", "cancel", id], { answer: async () => answer });
    expect(await cancel("")).toMatchObject({ code: 2, err: "Nothing was changed." });
    expect(JSON.parse((await run(["orders", "show", id, "--json"])).out).status).toBe(
      "PaymentProcessed",
    );
    expect(await cancel("y")).toMatchObject({
      code: 0,
      asked: [expect.stringMatching(/refund of \$45\.00\. Cancel it\? \[y\/N\] $/)],
    });
    expect(JSON.parse((await run(["orders", "show", id, "--json"])).out).status).toBe("Cancelled");
  });

  test("whose status changes before the confirmation stay unchanged, with exit code 4", async () => {
    const { id } = await paidOrder(shop);
    const cancelled = await run(["orders", "cancel", id], {
      answer: async () => {
        await run(["orders", "ship", id]);
        return "y";
      },
    });
    expect(cancelled).toMatchObject({ code: 4, err: "The order is Shipped now." });
  });

  test("that were paid twice show the total refund, before and after they are cancelled, and which loans did not fit", async () => {
    const { id } = await paidOrder(shop);
    const small = await shop.lender.fund({ amount: "45.00", orderId: id, dial: "wrong-amount" });
    await shop.lender.fund({ amount: "50.00", orderId: id });
    const shown = async () => JSON.parse((await run(["orders", "show", id, "--json"])).out);
    // $50.00 of the second loan and the $22.50 of the one that lends too little.
    await waitFor("both further loans", async () => (await shown()).refund_due === 72.5);
    const { out } = await run(["orders", "show", id]);
    expect(out).toMatch(/^Money {3}received \$117\.50, kept \$45\.00, refund due \$72\.50$/m);
    expect(out).toMatch(/^Bill to +12 St James's Square, London/m);
    expect(out).toMatch(new RegExp(`underpaid +${small}\\n +It lends \\$`));
    expect((await run(["orders", "cancel", id, "--yes", "--json"])).out).toBe(
      `${JSON.stringify({ id, status: "Cancelled", changed: true, loans_under_way: [], refund_due: 117.5, other_currencies: [], unknown_amounts: 0 })}\n`,
    );
    expect((await shown()).refund_due).toBe(117.5);
    expect((await run(["orders", "cancel", id])).out).toContain(
      "It was paid by 3 loans: you owe a refund of $117.50.",
    );
  });

  test("cannot be marked as paid by the merchant", async () => {
    const { id } = await placeOrder(shop);
    const answer = await merchant(shop, "POST", `/api/merchant/orders/${id}/transitions`, {
      to: "PaymentProcessed",
    });
    expect(answer).toMatchObject({ status: 409, body: { code: "transition_refused" } });
  });

  test("that do not exist, or whose short id is ambiguous, cause exit code 3", async () => {
    expect(await run(["orders", "show", "00000000"])).toMatchObject({ code: 3 });
    expect(await run(["orders", "show", "%_"])).toMatchObject({ code: 3 });
    const twins = ["a", "b"].map((end) => `deadbeef-0000-4000-8000-00000000000${end}`);
    const { db } = shop.database;
    for (const id of twins) {
      await db
        .insertInto("orders")
        .values({
          id,
          status: "Pending",
          version: 1,
          attempt_over: 0,
          customer_name: "x",
          customer_email: "x@y.z",
          shipping_address: '{"street":"","city":"","state":"","postal_code":"","country":""}',
          billing_address: '{"street":"","city":"","state":"","postal_code":"","country":""}',
          total: 0,
          created_at: 0,
        })
        .execute();
    }
    const { code, err } = await run(["orders", "show", "deadbeef"]);
    expect(code).toBe(3);
    expect(err).toContain("Several orders match");
    expect(await run(["orders", "show", twins[0] ?? ""])).toMatchObject({ code: 0 });
  });
});

describe("payments", () => {
  test("that do not fit are listed", async () => {
    const { id } = await placeOrder(shop);
    const loanId = await shop.lender.fund({ amount: "45.00", orderId: id, dial: "wrong-amount" });
    await waitFor("the sweep", async () =>
      (await run(["payment-issues", "list"])).out.includes(loanId),
    );
    expect(JSON.parse((await run(["payment-issues", "list", "--json"])).out)).toContainEqual(
      expect.objectContaining({ order_id: id, loan_id: loanId, kind: "underpaid" }),
    );
  });
});

describe("items", () => {
  const shelf = async (): Promise<{ id: string; name: string; price: number }[]> =>
    (await fetch(`${shop.url}/api/items`)).json();

  test("get another price, are hidden and shown, and the shop follows", async () => {
    const set = async (...fields: string[]) =>
      (await run(["items", "set", "enamel-mug", ...fields])).out;
    expect(await set("--price", "19.25")).toBe(
      "changed  enamel-mug: price $18.50 → $19.25\n0 added, 1 changed, 0 unchanged.\n",
    );
    expect(await shelf()).toContainEqual(
      expect.objectContaining({ id: "enamel-mug", price: 19.25 }),
    );
    expect(await set("--hidden")).toContain("enamel-mug: hidden false → true\n");
    expect((await shelf()).map(({ id }) => id)).not.toContain("enamel-mug");
    expect((await run(["items", "list"])).out).toMatch(/enamel-mug +\$19.25 +hidden/);
    expect(await set("--no-hidden")).toContain("enamel-mug: hidden true → false\n");
    expect((await shelf()).map(({ id }) => id)).toContain("enamel-mug");
  });

  test.each(["1.999", "-1", "0", "free", "1e3", "1000001", ""])(
    "reject %j as a price",
    async (price) => {
      expect(await run(["items", "set", "enamel-mug", `--price=${price}`])).toMatchObject({
        code: 2,
        out: "",
      });
    },
  );

  const importFile = async (name: string, content: unknown) => {
    const file = join(shop.folder, name);
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
    return run(["items", "import", file]);
  };
  const anItem = (id: string, changes: object = {}) => ({
    id,
    name: `Thing ${id}`,
    description: "A thing.",
    price: 1.5,
    image_url: "/pictures/moka-pot.svg",
    ...changes,
  });

  test("are imported by the thousands in one transaction", async () => {
    const items = Array.from({ length: 10_000 }, (_, index) => anItem(`bulk-${index}`));
    const first = await importFile("bulk.json", items);
    expect(first.out).toContain("added    bulk-0: Thing bulk-0\n");
    expect(first.out).toContain("\n10000 added, 0 changed, 0 unchanged.\n");
    const again = await importFile("bulk.json", {
      items: items.map((item, index) => (index === 7 ? { ...item, price: 2 } : item)),
    });
    expect(again.out).toBe(
      "changed  bulk-7: price $1.50 → $2.00\n0 added, 1 changed, 9999 unchanged.\n",
    );
    expect(await shelf()).toContainEqual(expect.objectContaining({ id: "bulk-7", price: 2 }));
    for (let hidden = 0; hidden < 10_000; hidden += 5_000) {
      await merchant(shop, "POST", "/api/merchant/items/import", {
        items: items.slice(hidden, hidden + 5_000).map((item) => ({ ...item, hidden: true })),
      });
    }
  });

  test("are not imported when one of them is invalid, and every error is shown with its place", async () => {
    const { code, err } = await importFile("bad.json", [
      anItem("good"),
      anItem("bad price", { price: "1" }),
      anItem("twin"),
      anItem("twin", { image_url: "javascript:alert(1)", colour: "red" }),
    ]);
    expect(code).toBe(2);
    expect(err).toContain("item 2 (bad price), id: must be");
    expect(err).toContain("item 2 (bad price), price: ");
    expect(err).toContain("item 4 (twin), image_url: must start with https://");
    expect(err).toMatch(/item 4 \(twin\).*colour/);
    expect((await shelf()).some(({ id }) => id === "good")).toBe(false);
    const direct = await merchant(shop, "POST", "/api/merchant/items/import", {
      items: [anItem("good"), anItem("twin"), anItem("twin")],
    });
    expect(direct).toMatchObject({ status: 422, body: { errors: [{ path: "items.2.id" }] } });
    expect((await shelf()).some(({ id }) => id === "good")).toBe(false);
  });

  test("keep fields that an imported file does not mention, and each change is shown", async () => {
    await run(["items", "set", "oak-chair", "--hidden"]);
    const { out } = await importFile("mended.json", [
      { id: "oak-chair", name: "Oak Chair", price: 890 },
    ]);
    expect(out).toBe(
      "changed  oak-chair: name Oak Lounge Chair → Oak Chair\nchanged  oak-chair: price $900.00 → $890.00\n" +
        "0 added, 1 changed, 0 unchanged.\n",
    );
    expect((await run(["items", "list"])).out).toMatch(/oak-chair +\$890.00 +hidden +Oak Chair/);
    await run(["items", "set", "oak-chair", "--no-hidden"]);
  });

  test("are not changed by a dry run, which shows the same changes", async () => {
    const file = join(shop.folder, "dry.json");
    await writeFile(file, JSON.stringify([{ id: "desk-lamp", price: 1 }, anItem("dry")]));
    const before = await shelf();
    const { code, out } = await run(["items", "import", file, "--dry-run"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^changed {2}desk-lamp: price \$.* → \$1\.00$/m);
    expect(out).toContain("added    dry: Thing dry");
    expect(out).toContain("nothing was changed");
    expect(await shelf()).toEqual(before);
  });

  test("are exported to a file that changes nothing when it is imported again; an existing file is never overwritten", async () => {
    await run(["items", "set", "field-watch", "--hidden"]);
    const file = join(shop.folder, "exported.json");
    expect(await run(["items", "export", file])).toMatchObject({ code: 0 });
    const { items }: { items: object[] } = JSON.parse(await readFile(file, "utf8"));
    expect(items).toContainEqual(expect.objectContaining({ id: "field-watch", hidden: true }));
    expect(JSON.parse((await run(["items", "export"])).out)).toEqual({ items });
    expect((await run(["items", "import", file])).out).toBe(
      `0 added, 0 changed, ${items.length} unchanged.\n`,
    );
    await run(["items", "set", "field-watch", "--no-hidden"]);
    expect(await run(["items", "export", file])).toMatchObject({ code: 2 });
  });

  test("are put into the order of the last imported file", async () => {
    const file = ["order-1", "order-2", "order-3"].map((id) => anItem(id));
    await importFile("order.json", file);
    const { out } = await importFile("reversed.json", file.toReversed());
    expect(out).toContain("order of the file");
    const order = (await shelf()).map(({ id }) => id).filter((id) => id.startsWith("order-"));
    expect(order).toEqual(["order-3", "order-2", "order-1"]);
  });

  test("are rejected when the shop does not have their picture", async () => {
    const missing = await importFile("missing.json", [
      anItem("seen"),
      anItem("unseen", { image_url: "/pictures/no-such.svg" }),
    ]);
    expect(missing.code).toBe(2);
    expect(missing.err).toContain("item 2 (unseen), image_url: the shop has no such picture");
    const patched = await merchant(shop, "PATCH", "/api/merchant/items/moka-pot", {
      image_url: "/pictures/no-such.svg",
    });
    expect(patched).toMatchObject({ status: 422, body: { errors: [{ path: "image_url" }] } });
  });

  test("are not read from a file whose escape sequences would be printed to the terminal", async () => {
    const { code, err } = await importFile("escapes.json", "\u001b[31m\u009b2J\u202eno json");
    expect(code).toBe(2);
    expect(err).toContain("escapes.json is not JSON");
    expect(err.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test("are read as UTF-8 only, with or without a byte order mark", async () => {
    const file = join(shop.folder, "encoded.json");
    const json = JSON.stringify([{ id: "moka-pot", name: "Café Pot" }], null, 1);
    await writeFile(file, json, "latin1");
    const latin = await run(["items", "import", file]);
    expect(latin.code).toBe(2);
    expect(latin.err).toMatch(/is not in UTF-8: line 4 .*$/);
    await writeFile(file, `\ufeff${json}`);
    expect((await run(["items", "import", file, "--dry-run"])).out).toContain(
      "Moka Pot → Café Pot",
    );
  });

  test("are not imported from a missing file or one that is not JSON", async () => {
    expect(await run(["items", "import", "/nowhere.json"])).toMatchObject({ code: 2 });
    expect(await importFile("broken.json", "{")).toMatchObject({ code: 2 });
    expect(await importFile("number.json", "7")).toMatchObject({ code: 2 });
  });

  test("in a large file of another format are rejected quickly, with the first errors", async () => {
    const path = "/api/merchant/items/import";
    const send = async (body: string) => {
      const response = await fetch(`${shop.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${shop.token}`, "content-type": "application/json" },
        body,
      });
      const { errors = [] }: { errors?: unknown[] } = await response.json();
      return [response.status, errors.length];
    };
    expect(await send(`{"items":[${"{},".repeat(2_500_000)}{}]}`)).toEqual([422, 100]);
    expect(await send(`{"items":${"[".repeat(2_500_000)}`)).toEqual([400, 0]);
    expect(await send(`{"items":[${'{"id":1,"name":2,"price":"3"},'.repeat(50_000)}{}]}`)).toEqual([
      422, 100,
    ]);
    expect(await send("")).toEqual([400, 0]);
  });

  test("with hostile names are printed without their control characters", async () => {
    await merchant(shop, "PUT", "/api/merchant/items/hostile", {
      name: "Pot \u200egnp\u202e.exe\u200f",
      description: "x",
      price: 1,
      image_url: "https://cdn.example/x.svg",
    });
    const { out } = await run(["items", "list"]);
    expect(out).toContain("Pot \ufffdgnp.exe\ufffd");
    const cleared = await merchant(shop, "PATCH", "/api/merchant/items/hostile", {
      name: "\u001b[2J",
    });
    expect(cleared.status).toBe(422);
  });

  test("of the sample catalogue can be imported over themselves", async () => {
    const sample = await readFile(join(import.meta.dirname, "../catalogue/items.json"), "utf8");
    expect((await importFile("sample.json", sample)).code).toBe(0);
  });
});

describe("the program", () => {
  test.each([
    [["orders"]],
    [["orders", "fly", "x"]],
    [["orders", "show"]],
    [["orders", "list", "x"]],
    [["orders", "list", "--status", "Lost"]],
    [["orders", "list", "--colour", "red"]],
    [["items", "set", "x"]],
  ])("exits with 2 for the invalid arguments %j", async (args) => {
    expect(await run(args)).toMatchObject({ code: 2, out: "" });
  });

  test("reports an unreachable shop or a wrong token, with exit code 5", async () => {
    const away = await run(["orders", "list"], { url: "http://127.0.0.1:9" });
    expect(away.code).toBe(5);
    expect(away.err).toContain("cannot be reached");
    const wrong = await run(["orders", "list"], { token: "wrong" });
    expect(wrong.code).toBe(5);
    expect(wrong.err).toContain("MERCHANT_TOKEN");
  });

  test.each(["0", "200", "x", Buffer.from("[1]").toString("base64url")])(
    "gets 422 for %s as a cursor of the payment issues",
    async (cursor) => {
      const { status, body } = await merchant(
        shop,
        "GET",
        `/api/merchant/payment-issues?cursor=${cursor}`,
      );
      expect(status).toBe(422);
      expect(body).toMatchObject({
        errors: [{ path: "cursor", message: "is not a cursor of this list" }],
      });
    },
  );

  test("has no access without its token", async () => {
    for (const path of [
      "/api/merchant/orders",
      "/api/merchant/items",
      "/api/merchant/payment-issues",
    ]) {
      expect((await fetch(`${shop.url}${path}`)).status).toBe(401);
    }
  });
});
