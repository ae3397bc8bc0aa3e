import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Dashboard } from "@grafana/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { needProgram } from "../../scripts/test-programs.ts";
import { paidOrder } from "../harness/customer.ts";
import { startService } from "../harness/service.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { waitFor } from "../harness/wait-for.ts";

const deploy = join(import.meta.dirname, "../../deploy");
const rulesFile = join(deploy, "prometheus-alerts.yml");
const rules: readonly { alert: string; expr: string }[] = parse(await readFile(rulesFile, "utf8"))
  .groups[0].rules;
const dashboard: Dashboard = JSON.parse(
  await readFile(join(deploy, "grafana-dashboard.json"), "utf8"),
);
const charts = (dashboard.panels ?? []).flatMap(({ title, ...panel }) =>
  ("targets" in panel ? (panel.targets ?? []) : []).map(({ expr }) => ({
    title,
    expr: String(expr),
  })),
);
/** Metrics of the node exporter, which the tests do not start. */
const ofOthers = /^node_/;

/** The metrics of a query, with their labels, such as `up{job="keepsats"}`. */
function selectorsIn(query: string): string[] {
  return [...query.matchAll(/\b(?:up|(?:keepsats|nodejs|process|node)_\w+)\b(?:\{[^}]*\})?/g)].map(
    ([text]) => text,
  );
}

function promtool(...args: string[]) {
  return promisify(execFile)(needProgram("prometheus", "promtool"), args);
}

const queryAnswer = z.object({
  status: z.literal("success"),
  data: z.object({ result: z.array(z.unknown()) }),
});

/** A Prometheus that scrapes a shop twice a second, with the rules of `deploy/`. */
async function startPrometheus(shop: Shop) {
  const config = {
    global: { scrape_interval: "500ms", scrape_timeout: "500ms", evaluation_interval: "1s" },
    rule_files: [rulesFile],
    scrape_configs: [
      {
        job_name: "keepsats",
        authorization: { credentials: "metrics-token" },
        static_configs: [{ targets: [new URL(shop.url).host] }],
      },
    ],
  };
  const service = await startService({
    program: "prometheus",
    async prepare(folder, port) {
      const file = join(folder, "prometheus.yml");
      // JSON is valid YAML.
      await writeFile(file, JSON.stringify(config));
      return [
        "--config.file",
        file,
        "--storage.tsdb.path",
        join(folder, "data"),
        "--web.listen-address",
        `127.0.0.1:${port}`,
      ];
    },
    urlOf: (port) => `http://127.0.0.1:${port}`,
    answers: (url) =>
      fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
  });
  return {
    ...service,
    /** Runs a query, which must be valid. Returns the series that it finds. */
    async query(expr: string): Promise<unknown[]> {
      const response = await fetch(
        `${service.url}/api/v1/query?${new URLSearchParams({ query: expr })}`,
      );
      return queryAnswer.parse(await response.json()).data.result;
    },
  };
}

describe("with a Prometheus that scrapes a shop", () => {
  let shop: Shop;
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>;
  /** For `waitFor`: after a scrape that timed out, a metric has no value until the next one. */
  const finds = (expr: string) => async () => (await prometheus.query(expr)).length > 0;
  beforeAll(async () => {
    needProgram("prometheus");
    shop = await startShop({ mail: true });
    prometheus = await startPrometheus(shop);
    await waitFor("the shop to be scraped", finds('up{job="keepsats"} == 1'));
    await paidOrder(shop);
    const { schema } = shop.database.db;
    await schema.alterTable("payment_issues").renameTo("away").execute();
    expect((await callAdminApi(shop, "GET", "/api/admin/today")).status).toBe(500);
    await schema.alterTable("away").renameTo("payment_issues").execute();
    await waitFor(
      "two scrapes of the failure",
      finds('rate(keepsats_request_seconds_count{status="500"}[1m])'),
    );
  });
  afterAll(async () => {
    await prometheus?.stop();
    await shop?.close();
  });

  test.each(charts)("the dashboard's query for $title returns data: $expr", async ({ expr }) => {
    const query = expr.replaceAll("$__rate_interval", "1m").replaceAll("$__range", "1h");
    await waitFor("data", finds(query));
  });

  test.each(rules)("the rule $alert is valid, and its metrics exist", async ({ expr }) => {
    await prometheus.query(expr);
    const own = selectorsIn(expr).filter((selector) => !ofOthers.test(selector));
    for (const selector of own) await waitFor(selector, finds(selector));
  });
});

test("the alert rules pass their promtool tests", async () => {
  await promtool("test", "rules", join(import.meta.dirname, "alerts.yml"));
});
