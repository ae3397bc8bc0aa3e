import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGuardedServer } from "../apps/server/src/http/connections.ts";

const deploy = join(import.meta.dirname, "../deploy");
const units = readdirSync(deploy).filter((name) => /\.(?:service|timer)$/.test(name));
const services = units.filter((name) => name.endsWith(".service"));

/** The values of each directive of a unit, by `Section.Directive`; a directive may be set several times. */
function directivesOf(name: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let section = "";
  for (const line of readFileSync(join(deploy, name), "utf8").split("\n")) {
    section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section;
    const [, directive, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (directive === undefined || value === undefined) continue;
    const key = `${section}.${directive}`;
    found.set(key, [...(found.get(key) ?? []), value]);
  }
  return found;
}

test("the shop's unit starts at boot, restarts without limit, and waits long enough for the server to stop", () => {
  const unit = directivesOf("keepsats.service");
  expect(unit.get("Install.WantedBy")).toEqual(["multi-user.target"]);
  expect(unit.get("Unit.After")?.[0]).toMatch(/network-online\.target.*postgresql\.service/);
  expect(unit.get("Service.Restart")).toEqual(["always"]);
  expect(unit.get("Service.RestartSec")).toEqual(["2"]);
  expect(unit.get("Unit.StartLimitIntervalSec")).toEqual(["0"]);
  expect(Number(unit.get("Service.TimeoutStopSec")?.[0])).toBeGreaterThan(20);
});

test.each(services)("%s runs as its own user, which may write only to the shop's data", (name) => {
  const unit = directivesOf(name);
  expect(unit.get("Service.User")).toEqual(["keepsats"]);
  expect(unit.get("Service.UMask")).toEqual(["0077"]);
  expect(unit.get("Service.StateDirectory")?.[0]).toMatch(/^keepsats\b/);
  expect(unit.get("Service.StateDirectoryMode")).toEqual(["0700"]);
  expect(unit.get("Service.NoNewPrivileges")).toEqual(["yes"]);
  expect(unit.get("Service.ProtectSystem")).toEqual(["strict"]);
  expect(unit.get("Service.CapabilityBoundingSet")).toEqual([""]);
  expect(unit.get("Service.SystemCallFilter")).toEqual(["@system-service", "~@privileged @resources"]);
  // V8 does not run with it.
  expect(unit.has("Service.MemoryDenyWriteExecute")).toBe(false);
});

test("backups run every night, and at the next boot when the machine was off", () => {
  const timer = directivesOf("keepsats-backup.timer");
  expect(timer.get("Install.WantedBy")).toEqual(["timers.target"]);
  expect(timer.get("Timer.OnCalendar")).toEqual(["*-*-* 03:30:00"]);
  expect(timer.get("Timer.Persistent")).toEqual(["true"]);
  const service = directivesOf("keepsats-backup.service");
  expect(service.get("Service.Type")).toEqual(["oneshot"]);
  expect(service.get("Service.ExecStart")?.[0]).toMatch(
    /backup\.ts --to \/var\/lib\/keepsats-backups --keep 14$/,
  );
});

test("the files that the units run exist", () => {
  const root = join(deploy, "..");
  for (const name of services) {
    const command = directivesOf(name).get("Service.ExecStart")?.[0]?.split(" ") ?? [];
    const file = command.find((word) => /\.(?:mjs|ts)$/.test(word) && !word.startsWith("./"));
    expect(readFileSync(join(root, file ?? "none"), "utf8")).not.toBe("");
  }
});

const textOf = (name: string) => readFileSync(join(deploy, name), "utf8");

test.each(["compose.yaml", "compose.scaled.yaml"])(
  "%s passes the shop's settings and pictures into the container",
  (name) => {
    const text = textOf(name);
    const settings = [
      ...["SHOP_NAME", "SHOP_CONTACT", "METRICS_TOKEN", "RATE_LIMIT_ORDERS"],
      ...["MERCHANT_TOKEN", "DRAIN_SECONDS", "SAMPLE_CATALOGUE", "WEBHOOKS_PRIVATE"],
      ...["DESK_PORT", "DESK_URL", "DESK_HOST"],
    ];
    for (const setting of settings) expect(text).toMatch(new RegExp(`\\b${setting}: \\$\\{${setting}:[-?]`));
    expect(text).toContain("../catalogue/pictures:/shop/apps/web/dist/pictures:ro");
  },
);

test.each(["compose.yaml", "compose.scaled.yaml"])("the settings in %s are indented alike", (name) => {
  const [, settings = ""] = /\n +environment:\n((?: +.*\n)*?) +volumes:/.exec(textOf(name)) ?? [];
  expect(settings).toContain("SMTP_URL");
  expect(new Set(settings.match(/^ +(?=\w)/gm)?.map(({ length }) => length)).size).toBe(1);
});

test.each(["compose.yaml", "compose.scaled.yaml"])("%s does not publish the desk by itself", (name) => {
  const text = textOf(name);
  expect(text).toMatch(/^ +# - \.\/desk\.Caddyfile:\/etc\/caddy\/desk\/desk\.Caddyfile:ro$/m);
  expect(text).toMatch(/^ +DESK_PORT: \$\{DESK_PORT:-\}$/m);
  expect(textOf("Caddyfile")).toMatch(/^import \/etc\/caddy\/desk\/\*$/m);
  expect(textOf("Caddyfile")).not.toContain("DESK_DOMAIN");
});

test("the image has the merchant's commands, and the programs for a backup of PostgreSQL", () => {
  const text = textOf("Dockerfile");
  expect(text).toContain("COPY apps/merchant apps/merchant");
  expect(text).toContain("--workspace=@keepsats/merchant");
  expect(text).toMatch(/apt-get install .*postgresql-client/);
});

test("the proxies expose neither the merchant API nor the metrics", () => {
  const [, paths = ""] = /@inside path (.*)\n\s*respond @inside 404/.exec(textOf("Caddyfile")) ?? [];
  expect(paths.split(" ").sort()).toEqual(["/api/merchant", "/api/merchant/*", "/metrics"]);
  expect(textOf("haproxy.cfg")).toContain("404 if { path,url_dec -m beg -i /metrics /api/merchant }");
});

test("Caddy closes an idle connection before the shop does", () => {
  const { keepAliveTimeout } = createGuardedServer(() => {}, {
    isProxy: () => true,
    isDraining: () => false,
  });
  const [, seconds] = /^\t+keepalive (\d+)s$/m.exec(textOf("Caddyfile")) ?? [];
  expect(Number(seconds) * 1000).toBeLessThan(keepAliveTimeout);
});

test("the files of deploy/ that in-an-hour.md copies exist", () => {
  const page = readFileSync(join(deploy, "../docs/in-an-hour.md"), "utf8");
  const named = new Set(page.match(/(?<=deploy\/)[\w.-]+/g));
  expect(named.size).toBeGreaterThan(3);
  for (const name of named) expect(textOf(name)).not.toBe("");
});

test("every metric that an alert uses is one that the server exports", () => {
  const rules = textOf("prometheus-alerts.yml");
  const told = ["http/metrics.ts", "telemetry/outbox.ts", "telemetry/webhooks.ts"]
    .map((name) => readFileSync(join(deploy, "../apps/server/src", name), "utf8"))
    .join("\n");
  const figures = new Set(rules.match(/\bkeepsats_\w+/g));
  expect(figures.size).toBeGreaterThan(5);
  for (const figure of figures) expect(told).toContain(`"${figure}"`);
});

test("operations.md has a row for every alert, by its name", () => {
  const alerts = [...textOf("prometheus-alerts.yml").matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const page = readFileSync(join(deploy, "../docs/operations.md"), "utf8");
  const rows = [...page.matchAll(/^\| \*\*(\w+)\*\*/gm)].map(([, name]) => name);
  expect(alerts.length).toBeGreaterThan(5);
  expect(rows.sort()).toEqual(alerts.sort());
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
const systemd = { meta: { needs: "systemd-analyze: apt install systemd" } };
test.runIf(hasSystemd)(
  "systemd accepts every unit, and rates the exposure of the services as low",
  systemd,
  () => {
    const folder = mkdtempSync(join(tmpdir(), "keepsats-"));
    try {
      // systemd checks that the program exists, and here Node is not in /opt.
      for (const name of units) {
        const text = readFileSync(join(deploy, name), "utf8");
        writeFileSync(
          join(folder, name),
          text.replaceAll("/opt/keepsats/node_modules/.bin/node", process.execPath),
        );
      }
      const paths = units.map((name) => join(folder, name));
      const verified = spawnSync("systemd-analyze", ["verify", "--recursive-errors=no", ...paths], {
        encoding: "utf8",
      });
      expect(verified.stderr.split("\n").filter((line) => line.includes("keepsats"))).toEqual([]);
      for (const name of services) {
        const args = ["security", "--offline=true", "--threshold=20", join(folder, name)];
        expect(() => execFileSync("systemd-analyze", args, { stdio: "pipe" })).not.toThrow();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
