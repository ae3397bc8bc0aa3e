import { call } from "@keepsats/client";
import { paths, type ServerSettingsAnswer, serverSettingsSchema } from "@keepsats/protocol";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Loaded } from "../../../ui/loaded.tsx";
import { Section } from "../../../ui/screen.tsx";
import { Time } from "../../../ui/values.tsx";

const serverSettingsQuery = queryOptions({
  queryKey: ["server settings"],
  meta: { topics: ["settings"] },
  queryFn: ({ signal }) =>
    call({ path: paths.admin.serverSettings, answer: serverSettingsSchema, signal }),
});

/** The versions and the environment variables of the server, read-only. */
export function ServerSection() {
  const query = useQuery(serverSettingsQuery);
  return (
    <Loaded query={query} subject="The server settings">
      {(server) => (
        <>
          <Section title="Server">
            <Server server={server} />
          </Section>
          <Section title="Environment variables">
            <p className="mb-3 text-ink-soft">
              The server reads them when it starts. Secrets are not shown.
            </p>
            <VariablesTable settings={server.settings} />
          </Section>
        </>
      )}
    </Loaded>
  );
}

function Server({
  server: { version, commit, node, database, bus, started_at },
}: {
  server: ServerSettingsAnswer;
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

function VariablesTable({ settings }: Pick<ServerSettingsAnswer, "settings">) {
  return (
    <table className="w-full text-left">
      <caption className="sr-only">Environment variables</caption>
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
            <td className="py-2 wrap-anywhere text-ink-soft max-sm:pt-0">{valueLabel(setting)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function valueLabel({
  value,
  secret,
  set,
}: ServerSettingsAnswer["settings"][number]): string {
  if (!set) return "not set";
  if (secret) return "set (secret)";
  return value === null || value === "" ? "empty" : value;
}
