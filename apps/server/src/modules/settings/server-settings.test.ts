import { expect, test } from "vitest";
import { readConfig } from "../../config/config.ts";
import { serverSettingsIn } from "./server-settings.ts";

const least = {
  LOAN_API_URL: "http://127.0.0.1:1",
  LOAN_API_KEY: "loan-key-hidden",
  LOAN_POPUP_URL_TEST: "http://127.0.0.1:2",
};

const settings = (env: Record<string, string>) =>
  new Map(
    serverSettingsIn(readConfig({ ...least, ...env })).map((setting) => [setting.name, setting]),
  );

test("server settings report only the presence of a secret", () => {
  const hidden = {
    ADMIN_TOKEN: "admin-token-hidden-1234567890",
    METRICS_TOKEN: "metrics-hidden",
    DATABASE_URL: "postgres://shop:p%40ss-hidden@db.example:5433/shop?password=hidden",
    REDIS_URL: "redis://:redis-hidden@cache.example:6379",
    SMTP_URL: "smtps://user-hidden:mail-hidden@mail.example",
    MAIL_FROM: "Shop <orders@shop.example>",
  };
  const all = settings(hidden);
  expect(JSON.stringify([...all.values()])).not.toContain("hidden");
  for (const name of [
    "LOAN_API_KEY",
    "ADMIN_TOKEN",
    "METRICS_TOKEN",
    "SMTP_URL, user and password",
  ]) {
    expect(all.get(name)).toEqual({ name, value: null, secret: true, set: true });
  }
  expect(all.get("DATABASE_URL")?.value).toBe("postgres://db.example:5433/shop");
  expect(all.get("REDIS_URL")?.value).toMatch(/^redis:\/\/cache\.example:6379/);
  expect(all.get("SMTP_URL")?.value).toBe("smtps://mail.example:465");
  expect(all.get("MAIL_FROM")?.value).toBe("Shop <orders@shop.example>");
});

test("a setting without a value is reported as not set, and defaults by their values", () => {
  const all = settings({ DATABASE_URL: "file:/data/shop.db" });
  for (const name of ["METRICS_TOKEN", "REDIS_URL", "SMTP_URL", "MAIL_FROM", "SHOP_CONTACT"]) {
    expect(all.get(name)).toMatchObject({ value: null, set: false });
  }
  expect(all.get("DATABASE_URL")?.value).toBe("file:/data/shop.db");
  expect(all.get("PORT")?.value).toBe("3000");
  expect(all.get("TRUST_PROXY")?.value).toBe("off");
  expect([...all.keys()]).toEqual([...all.keys()].toSorted());
});
