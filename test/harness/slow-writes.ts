import type { Queries } from "../../apps/server/src/db/database.ts";

type KyselyPlugin = Parameters<Queries["withPlugin"]>[0];
type QueryId = Parameters<KyselyPlugin["transformQuery"]>[0]["queryId"];

const writes: ReadonlySet<string> = new Set([
  "InsertQueryNode",
  "UpdateQueryNode",
  "DeleteQueryNode",
]);
/** How many turns of the event loop each write takes; any other work of a test takes fewer. */
const TURNS = 50;

/**
 * A plugin for a database whose writes take long. `begun` and `ended` count the writes, so that a
 * test sees whether its subject has waited for all of them.
 */
export function slowWrites(): {
  readonly plugin: KyselyPlugin;
  readonly begun: number;
  readonly ended: number;
} {
  const begun = new Set<QueryId>();
  let ended = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (writes.has(node.kind)) begun.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (!begun.has(queryId)) return result;
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise(setImmediate);
      ended += 1;
      return result;
    },
  };
  return {
    plugin,
    get begun() {
      return begun.size;
    },
    get ended() {
      return ended;
    },
  };
}
