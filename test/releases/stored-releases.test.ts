import {
  adminItemsSchema,
  adminOrderSchema,
  paymentIssueSchema,
  shopSettingsAnswerSchema,
  staffSchema,
  tokensSchema,
  webhooksSchema,
} from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { readDatabase } from "../../apps/server/src/config/config.ts";
import { paidOrder } from "../harness/customer.ts";
import { databaseKinds, sqlite } from "../harness/databases.ts";
import { startShop } from "../harness/shop.ts";
import { readAnswers, restoreRelease, storedAnswers, storedReleases } from "./stored-release.ts";

test("the database of a release is stored", () => {
  expect(storedReleases).toContain("1.0.0");
});

/** The answers, as pages read them. */
const answersSchema = z.object({
  items: adminItemsSchema,
  settings: shopSettingsAnswerSchema,
  staff: staffSchema,
  tokens: tokensSchema,
  webhooks: webhooksSchema,
  orders: z.record(z.string(), adminOrderSchema),
  payment_issues: z.record(z.string(), paymentIssueSchema),
});

// During a rolling restart, servers of the release before answer new pages.
test.each(storedReleases)("pages of this version read the answers of release %s", (version) => {
  const answers = JSON.parse(storedAnswers(version, sqlite));
  expect(z.safeDecode(answersSchema, answers).error?.issues).toBeUndefined();
});

describe.each(storedReleases)("the stored database of release %s", (version) => {
  test.each(databaseKinds)("is read and sells on $name", async (kind) => {
    await using testDatabase = await restoreRelease(version, kind);
    await using shop = await startShop({
      config: { database: readDatabase({ DATABASE_URL: testDatabase.url }) },
    });
    const before: object = JSON.parse(
      storedAnswers(version, kind),
      // A setting that was added since changes the version of the settings.
      (name, value) => (name === "version" ? undefined : value),
    );
    expect(await readAnswers(shop)).toMatchObject(before);
    await paidOrder(shop);
    await testDatabase.checkIntegrity();
  });
});
