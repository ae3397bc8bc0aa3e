import { type Machine, machineSchema, paths } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Call } from "../command.ts";
import { type Column, formatTime, json, printable, table } from "../output.ts";

const columns: readonly Column[] = [{ head: "SETTING" }, { head: "VALUE", fill: true }];

/** `machine`: the settings of the server, and what it runs on. */
export async function showMachine({ client, output }: Call): Promise<void> {
  const machine = await client.call({ path: paths.merchant.machine, answer: machineSchema });
  if (output.json) return output.line(json(z.encode(machineSchema, machine)));
  const { version, commit, node, database, bus, started_at, settings } = machine;
  const rows = settings.map((setting) => [setting.name, shownValue(setting)]);
  output.line(
    [
      `Keepsats ${printable(version)}, commit ${printable(commit)}, Node ${printable(node)}, database ${database}, bus ${bus}, started ${formatTime(started_at)} UTC`,
      "",
      ...table(columns, rows, output.width),
    ].join("\n"),
  );
}

function shownValue({ value, secret, set }: Machine["settings"][number]): string {
  if (!set) return "not set";
  return secret ? "set (secret)" : (value ?? "");
}
