import type { Machine } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/time.tsx";
import { Permitted } from "./permitted.tsx";
import { machineQuery } from "./settings-queries.ts";

/** What the machine was started with. It is read only: the environment of the server has it. */
export function MachineSection() {
  return (
    <Permitted permission="server-settings:read" what="see the server settings">
      <MachineSettings />
    </Permitted>
  );
}

function MachineSettings() {
  const query = useQuery(machineQuery);
  return (
    <Loaded query={query} what="The settings of the machine">
      {(machine) => (
        <>
          <Section title="Server">
            <Server machine={machine} />
          </Section>
          <Section title="Settings of the machine">
            <p className="mb-3 text-ink-soft">
              They are read when the server starts, from its environment. Secrets are not shown.
            </p>
            <SettingsTable settings={machine.settings} />
          </Section>
        </>
      )}
    </Loaded>
  );
}

function Server({
  machine: { version, commit, node, database, bus, started_at },
}: {
  machine: Machine;
}) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
      <dt className="text-ink-soft">Keepsats</dt>
      <dd className="wrap-anywhere">
        {version}, commit {commit}
      </dd>
      <dt className="text-ink-soft">Node</dt>
      <dd>{node}</dd>
      <dt className="text-ink-soft">Database</dt>
      <dd>{database === "sqlite" ? "SQLite" : "PostgreSQL"}</dd>
      <dt className="text-ink-soft">Bus</dt>
      <dd>{bus}</dd>
      <dt className="text-ink-soft">Started</dt>
      <dd>
        <Time at={started_at} />
      </dd>
    </dl>
  );
}

function SettingsTable({ settings }: Pick<Machine, "settings">) {
  return (
    <table className="w-full text-left">
      <caption className="sr-only">Settings of the machine</caption>
      <thead className="border-b border-line text-sm text-ink-soft max-sm:sr-only">
        <tr>
          <th scope="col" className="py-2 pr-4 font-medium">
            Name
          </th>
          <th scope="col" className="py-2 font-medium">
            Value
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {settings.map((setting) => (
          <tr key={setting.name} className="max-sm:grid">
            <th scope="row" className="py-2 pr-4 align-top font-medium wrap-anywhere max-sm:pb-0">
              {setting.name}
            </th>
            <td className="py-2 wrap-anywhere text-ink-soft max-sm:pt-0">
              {settingWords(setting)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The value of a setting of the machine, or what is known of it. */
export function settingWords({ value, secret, set }: Machine["settings"][number]): string {
  if (!set) return "not set";
  if (secret) return "set, secret";
  return value === null || value === "" ? "empty" : value;
}
