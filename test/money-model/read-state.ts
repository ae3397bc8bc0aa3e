import pg from "pg";
import {
  openStateReader,
  orderOfRows,
  type State,
  stateOf,
} from "../../simulation/committed-state.ts";

/** Reads the committed data of a database, which has all its tables. */
export interface ReadState {
  (): Promise<State>;
  close(): Promise<void>;
}

/** @param url a value of `DATABASE_URL` */
export async function openReadState(url: string): Promise<ReadState> {
  if (url.startsWith("file:")) {
    const reader = openStateReader(url.slice("file:".length));
    return Object.assign(async () => reader.state(), { close: async () => reader.close() });
  }
  const client = new pg.Client(url);
  await client.connect();
  // One statement, so that all tables are read at the same moment.
  const tables = Object.entries(orderOfRows).map(
    ([table, order]) =>
      `'${table}', (SELECT coalesce(json_agg(one ORDER BY ${order}), '[]') FROM ${table} AS one)`,
  );
  const query = `SELECT json_build_object(${tables.join()})::text AS rows`;
  async function read(): Promise<State> {
    const { rows } = await client.query<{ rows: string }>(query);
    const all = JSON.parse(rows[0]?.rows ?? "{}");
    return stateOf((table) => all[table]);
  }
  return Object.assign(read, { close: () => client.end() });
}
