import { readFile } from "node:fs/promises";
import {
  type JournalSummary,
  journalSummarySchema,
  type RateSum,
  type Reconciliation,
  receiptsSummarySchema,
  reconciliationSchema,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { expect, test } from "./fixtures/admin.ts";
import { placePaidOrder, placeUnpaidOrder } from "./fixtures/orders.ts";
import { expectFitAndAccessible } from "./fixtures/page-checks.ts";

const received = { kind: "received", entries: 2, change: 123_456_700, decided: 0 };
const refunded = { kind: "refunded", entries: 1, change: -2_000, decided: 0 };
const waived = { kind: "waived", entries: 1, change: 0, decided: 500 };
const nothing = { held: 0, refund_due: 0 };

/** The books of a month in two currencies. */
const summary: JournalSummary = {
  currencies: [
    {
      currency: "USD",
      opening: { held: 10_000, refund_due: 4_500 },
      sums: [received, refunded, waived],
      closing: { held: 123_464_700, refund_due: 2_500 },
      periods: [
        { period: "2026-11-03", sums: [received], change: 123_456_700 },
        { period: "2026-11-23", sums: [refunded, waived], change: -2_000 },
      ],
    },
    { currency: "Eur", opening: nothing, sums: [], closing: nothing, periods: [] },
  ],
};

const rates: RateSum[] = [
  { rate: 1_900, receipts: 123_456_700, credit_notes: 4_500, vat: 19_710_692 },
  { rate: 700, receipts: 0, credit_notes: 2_000, vat: -131 },
];

const orderId = "0e4b3a51-0000-4000-8000-000000000001";
const money = (amount: number | null) => ({ amount, currency: "USD" });

const reconciliation: Reconciliation = {
  read_at: Date.UTC(2026, 10, 30, 12),
  counts: { same: 1_204, different: 1, only_shop: 1, only_provider: 1 },
  differences: [
    {
      match: "different",
      loan_id: crypto.randomUUID(),
      order_id: orderId,
      order_number: "K-10023",
      paid_at: Date.UTC(2026, 10, 3, 9),
      shop: money(4_500),
      provider: money(null),
      provider_status: "DisputeOpenedByBorrower",
    },
    {
      match: "only-shop",
      loan_id: crypto.randomUUID(),
      order_id: null,
      order_number: null,
      paid_at: Date.UTC(2026, 10, 4, 9),
      shop: money(4_500),
      provider: null,
      provider_status: null,
    },
    {
      match: "only-provider",
      loan_id: crypto.randomUUID(),
      order_id: null,
      order_number: null,
      paid_at: null,
      shop: null,
      provider: money(123_456_789),
      provider_status: "PrincipalGiven",
    },
  ],
};

test("the books show balances, sums and the differences to the loan provider's list", async ({
  page,
  admin,
}) => {
  await page.route("**/journal/summary?*", (route) =>
    route.fulfill({ json: z.encode(journalSummarySchema, summary) }),
  );
  await page.route("**/reconciliation?*", (route) =>
    route.fulfill({ json: z.encode(reconciliationSchema, reconciliation) }),
  );
  await page.route("**/receipts/summary?*", (route) =>
    route.fulfill({ json: z.encode(receiptsSummarySchema, { rates }) }),
  );
  await admin.open(page, "/books?from=2026-11-01&to=2026-11-30");
  const balance = page.getByRole("region", { name: "Balance in USD" });
  await expect(balance).toContainText("Opening balance$100.00Closing balance$1,234,647.00");
  await expect(balance).toContainText("Closing refund due$25.00");
  const row = (name: RegExp) => balance.getByRole("row", { name });
  await expect(row(/^Payouts received/)).toContainText("$1,234,567.00");
  await expect(row(/^Refunded/)).toContainText("−$20.00");
  await expect(row(/^Change of the balance/)).toContainText("$1,234,547.00");
  await expect(row(/^Refunds granted/)).toContainText("$5.00");
  await expect(row(/^Nov 23, 2026/)).toContainText("$0.00−$20.00$1,234,647.00");
  const euros = page.getByRole("region", { name: "Balance in EUR" });
  await expect(euros).toContainText("No entries in this period.");

  const vat = page.getByRole("table", { name: "VAT by rate" });
  await expect(vat.getByRole("row")).toContainText([
    "RateReceiptsCredit notesNetVAT",
    "19 %$1,234,567.00$45.00$1,037,415.08$197,106.92",
    "7 %$0.00$20.00−$18.69−$1.31",
    "Total$1,234,567.00$65.00$1,037,396.39$197,105.61",
  ]);

  await page.getByRole("button", { name: "Compare" }).click();
  const differences = page.getByRole("list", { name: "Differences" }).getByRole("listitem");
  await expect(differences).toContainText([
    /^Different amounts.*order K-10023.*Shop\$45\.00Loan provider: DisputeOpenedByBorrowerunknown/,
    /^Only in the shop.*Shop\$45\.00Loan provider–/,
    /^Only at the loan provider.*Shop–Loan provider: PrincipalGiven\$1,234,567\.89/,
  ]);
  await expectFitAndAccessible(page);
});

test("the books of a period are exported and compared with the loan provider's list, once a minute", async ({
  page,
  shop,
  admin,
  console,
}) => {
  const order = await placePaidOrder(shop);
  await admin.call(`orders/${order.id}/transitions`, { to: "Cancelled" });
  await admin.call(`orders/${order.id}/refunds`, { amount: 20, method: "cash" });
  await admin.open(page, "/books");
  const balance = page.getByRole("region", { name: "Balance" });
  const reconciliation = page.getByRole("region", {
    name: "Reconciliation with the loan provider",
  });
  const compare = reconciliation.getByRole("button", { name: "Compare" });
  await expect(balance.getByRole("row", { name: /^Payouts received/ })).toBeVisible();

  await test.step("the export has the entries of the order", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    const text = await readFile(await (await download).path(), "utf8");
    const changes = text.split("\r\n").filter((line) => line.includes(order.id));
    expect(changes.map((line) => /,(-?\d+\.\d\d),/.exec(line)?.[1])).toEqual(["45.00", "-20.00"]);
  });

  await test.step("the receipt and the credit note are exported, and summed by VAT rate", async () => {
    const receipts = page.getByRole("region", { name: "Receipts and VAT" });
    await expect(receipts.getByRole("row", { name: /^No VAT/ })).toContainText(/\$.*\$.*\$0\.00$/);
    const download = page.waitForEvent("download");
    await receipts.getByRole("link", { name: "Export receipts" }).click();
    const text = await readFile(await (await download).path(), "utf8");
    const rows = text.split("\r\n").filter((line) => line.includes(order.id));
    expect(rows.map((line) => line.split(",").slice(5))).toEqual([
      ["45.00", "", "45.00", "0.00", "45.00"],
      ["-20.00", "", "-20.00", "0.00", "-20.00"],
    ]);
  });

  await test.step("the loan provider's list has the loan with the same amount", async () => {
    await compare.click();
    await expect(reconciliation).toContainText(/Same amount[1-9]/);
    await expect(reconciliation.locator(`a[href="/orders/${order.id}"]`)).toHaveCount(0);
  });

  await test.step("the list is not read for another period within the minute", async () => {
    console.expect(/status of 429/);
    await page.getByRole("button", { name: "Last month" }).click();
    await expect(balance).toContainText("No entries in this period.");
    await expect(page).toHaveURL(/from=\d{4}-\d\d-01&/);
    await compare.click();
    await expect(reconciliation.getByRole("alert")).toContainText(
      "was just read for another period",
    );
  });

  await test.step("sums that could not be loaded are loaded again", async () => {
    console.expect(/status of 500/);
    await page.route("**/journal/summary?*", (route) => route.fulfill({ status: 500 }), {
      times: 1,
    });
    await page.getByLabel("Rows").selectOption("Months");
    const alert = page.getByRole("alert").filter({ hasText: "The books could not be loaded." });
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(balance).toContainText("No entries in this period.");
  });
});

test("days and times are those of the shop's time zone, which owners choose", async ({
  page,
  admin,
  shop,
}) => {
  await placeUnpaidOrder(shop);
  await admin.open(page, "/settings");
  const field = page.getByLabel("Time zone");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await field.fill("Europe/Atlantis");
  await save.click();
  await expect(page.getByText("It must be the name of a time zone")).toBeVisible();
  await field.fill("america/new_york");
  await save.click();
  await expect(page.getByText("Settings saved")).toBeVisible();
  await expect(field).toHaveValue("America/New_York");

  await page.clock.setFixedTime("2026-02-01T04:59:00Z");
  await page.goto(`${admin.url}/books`);
  await expect(page.getByText("Days are those of America/New_York.")).toBeVisible();
  await expect(page.getByLabel("From")).toHaveValue("2026-01-01");
  await page.goto(`${admin.url}/orders`);
  const time = page.getByRole("table").locator("time").first();
  const at = Date.parse((await time.getAttribute("datetime")) ?? "");
  const format = { dateStyle: "medium", timeStyle: "short", timeZone: "America/New_York" } as const;
  await expect(time).toHaveText(new Intl.DateTimeFormat("en", format).format(at));
  await shop.setSettings({ time_zone: "UTC" });
});
