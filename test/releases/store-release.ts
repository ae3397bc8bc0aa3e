import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { orderStatuses } from "@keepsats/domain";
import { paths, withId } from "@keepsats/protocol";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { placeOrder } from "../harness/customer.ts";
import { type DatabaseKind, databaseKinds, readWhole } from "../harness/databases.ts";
import { anActiveLoan, aPayout, aPayoutWithoutOrder, changed } from "../harness/loans.ts";
import { type MoneyShop, moneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";
import { runDatabaseTask } from "../harness/server-process.ts";
import { restoreFullDatabase } from "./full-database.ts";
import { filesOf, readAnswers } from "./stored-release.ts";

// Not a test: it stores the databases of a release for the tests of later upgrades. It runs once,
// when the release is made (docs/releasing.md).

test.each(databaseKinds)("stores a database of this release on $name", async (kind) => {
  const newShopDatabase = () => restoreFullDatabase(kind);
  await using shop = await moneyShop({ ...kind, newShopDatabase }, { mail: true });
  await addOrders(shop);
  await addPaymentIssues(shop);
  // The storefront's build is large, and another release serves its own.
  await shop.testDatabase.run("UPDATE web_assets SET content = substr(content, 1, 10)");
  expect(await shop.testDatabase.run("SELECT DISTINCT status FROM orders")).toHaveLength(
    orderStatuses.length,
  );
  const { rows } = await readWhole(kind, shop.testDatabase);
  for (const [table, all] of Object.entries(rows)) expect(all, table).not.toEqual([]);
  await store(kind, shop);
});

/** Orders in each status, with texts that are difficult to store. */
async function addOrders(shop: MoneyShop): Promise<void> {
  okay(await shop.call("PATCH", withId(paths.admin.item, "moka-pot"), { stock: 100 }));
  const placed = await placeOrder(shop.shop, { customer_name: `Zoë "'\\ \\u0041 😀 {} $1` });
  okay(await shop.call("POST", withId(paths.admin.notes, placed.id), { text: "two\nlines" }), 201);
  const active = await shop.order();
  const loan = anActiveLoan(active);
  shop.provider.setContract(loan);
  const subscriber = await shop.subscribe(active, loan);
  await subscriber.until("the loan", ({ data }) => data.status === "PaymentProcessing");
  await subscriber.close();
  await shop.paidOrder();
  const shipped = await shop.paidOrder();
  okay(await shop.ship(shipped, { carrier: "DHL", tracking_number: "17" }));
  const delivered = await shop.paidOrder({ total: 45 });
  okay(await shop.ship(delivered));
  const delivery = { to: "Delivered" };
  okay(await shop.call("POST", withId(paths.admin.transitions, delivered.id), delivery));
  okay(await shop.cancel(await shop.order(), { message: "It is sold out." }));
  const erased = await shop.order();
  okay(await shop.cancel(erased));
  okay(await shop.erase(erased));
}

/** Payment issues, open and resolved, with refunds, reversals and an extension. */
async function addPaymentIssues(shop: MoneyShop): Promise<void> {
  const paid = await shop.paidOrder();
  await shop.report(
    aPayout(paid, { loan_amount: "11.00" }),
    aPayout(paid, { status: "DisputeLenderStarted" }),
    aPayoutWithoutOrder(30),
  );
  await shop.refunded(paid, { amount: 5, reference: "No. 7" });

  const accepted = await shop.order();
  await shop.report(aPayout(accepted, { loan_amount: "7.20" }));
  okay(await shop.resolve(await shop.issue(accepted, "underpaid"), "accepted"));

  const refunded = await shop.cancelledOrder();
  const refundId = await shop.refunded(refunded, { amount: 12 });
  okay(await shop.reverseRefund(refunded, refundId), 201);

  const kept = await shop.cancelledOrder();
  okay(await shop.resolve(await shop.issue(kept, "paid-after-cancel"), "accepted"));

  const reversed = await shop.paidOrder();
  await shop.report(changed(reversed.loan, { status: "Cancelled" }));
  okay(await shop.resolve(await shop.issue(reversed, "changed-after-payout"), "written-off"));

  const extended = await shop.order();
  const first = aPayout(extended);
  await shop.report(first);
  await shop.report(aPayout(extended), changed(first, { status: "Extended" }));

  const unknown = await shop.order();
  await shop.report(aPayout(unknown, { loan_amount: "1e2" }));
  await shop.report(aPayout(await shop.order(), { loan_asset: "Eur" }));
}

async function store(kind: DatabaseKind, shop: MoneyShop): Promise<void> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), "keepsats-release-"));
  const to = join(temporary.path, "backup");
  const { code, said } = await runDatabaseTask(
    temporary.path,
    "backup",
    shop.testDatabase.url,
    "--to",
    to,
  );
  expect({ code }, said).toEqual({ code: 0 });
  const { folder, backup, answers } = filesOf(packageJson.version, kind);
  mkdirSync(folder, { recursive: true });
  writeFileSync(backup, gzipSync(readFileSync(to), { level: 9 }));
  const answered = JSON.stringify(await readAnswers(shop.shop), null, 1);
  writeFileSync(answers, gzipSync(answered, { level: 9 }));
}
