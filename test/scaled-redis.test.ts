import { describe } from "vitest";
import { describeScaledShop } from "./harness/scaled-shop.ts";

describe("three processes on PostgreSQL and Redis", () => describeScaledShop({ withRedis: true }));
