import { describe } from "vitest";
import { useScaledShop } from "./harness/scaled-shop.ts";
import { testAgreement } from "./harness/scaled-shop-agreement.ts";
import { testFaults } from "./harness/scaled-shop-faults.ts";

describe("three processes on PostgreSQL alone", () => {
  const shop = useScaledShop({ withRedis: false });
  testAgreement(shop);
  testFaults(shop);
});
