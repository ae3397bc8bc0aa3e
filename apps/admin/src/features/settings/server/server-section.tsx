import { paths, type ServerSettingsAnswer, serverSettingsSchema } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { apiQuery } from "../../../lib/api.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { Section } from "../../../ui/screen.tsx";
import { Time } from "../../../ui/values.tsx";

const serverSettingsQuery = apiQuery(paths.admin.serverSettings, serverSettingsSchema, [
  "settings",
]);

export function ServerSection() {
  const query = useQuery(serverSettingsQuery);
  return (
    <Loaded query={query} subject="The server settings">
      {({ version, commit, node, database, bus, started_at, settings }) => (
        <>
          <Section title="Server">
            <Values
              values={[
                ["Keepsats", `${version}, commit ${commit}`],
                ["Node", node],
                ["Database", database === "sqlite" ? "SQLite" : "PostgreSQL"],
                ["Bus", bus],
                ["Started", <Time key="started" at={started_at} />],
              ]}
            />
          </Section>
          <Section title="Environment variables">
            <p className="mb-3 text-ink-soft">
              The server reads them when it starts. Secrets are not shown.
            </p>
            <Values values={settings.map((setting) => [setting.name, valueLabel(setting)])} />
          </Section>
        </>
      )}
    </Loaded>
  );
}

function Values({ values }: { values: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 wrap-anywhere sm:grid-cols-[auto_1fr] sm:gap-y-1">
      {values.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="text-ink-soft max-sm:pt-2">{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

export function valueLabel(setting: ServerSettingsAnswer["settings"][number]): string {
  const { value, secret, set } = setting;
  if (!set) return "not set";
  if (secret) return "set (secret)";
  return value === null || value === "" ? "empty" : value;
}
