import { happenedText, type MerchantMismatch, mismatchKinds } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Screen } from "../../ui/screen.tsx";
import { cardsOf } from "./cards.ts";
import { MismatchCard } from "./mismatch-card.tsx";
import { type MismatchState, mismatchesQuery } from "./payments-queries.ts";
import { ResolveDialog } from "./resolve-dialog.tsx";
import type { Way } from "./ways.ts";

const tabs: readonly { readonly state: MismatchState; readonly label: string }[] = [
  { state: "open", label: "Open" },
  { state: "resolved", label: "Resolved" },
];

/** The payments that need somebody, and the refunds that are owed. */
export default function PaymentsScreen() {
  const [parameters, setParameters] = useSearchParams();
  const state: MismatchState = parameters.get("state") === "resolved" ? "resolved" : "open";
  // As in the links of the screen Today: `?kind=refund-owed`.
  const kind = mismatchKinds.find((known) => known === parameters.get("kind"));
  const query = useInfiniteQuery(mismatchesQuery(state, kind));
  // Held here, because a mismatch that somebody else resolves leaves the list while its dialog is
  // open.
  const [chosen, setChosen] = useState<{
    readonly mismatch: MerchantMismatch;
    readonly way: Way;
  }>();

  return (
    <Screen title="Payments">
      <fieldset>
        <legend className="sr-only">State</legend>
        <div className="flex gap-1 border-b border-line">
          {tabs.map((tab) => (
            <button
              key={tab.state}
              type="button"
              aria-pressed={tab.state === state}
              onClick={() =>
                setParameters(tab.state === "open" ? {} : { state: tab.state }, { replace: true })
              }
              className={classes(
                "-mb-px min-h-11 border-b-2 px-3 transition-colors",
                tab.state === state
                  ? "border-ink font-medium"
                  : "border-transparent text-ink-soft hover:text-ink",
              )}
            >
              {tab.label}
            </button>
          ))}
        </div>
      </fieldset>
      {kind !== undefined && (
        <p className="flex flex-wrap items-center gap-3 pt-4">
          Only: {happenedText({ kind })}
          <Button
            onClick={() => setParameters(state === "open" ? {} : { state }, { replace: true })}
          >
            Show all
          </Button>
        </p>
      )}
      <Loaded query={query} what="The mismatches">
        {(mismatches) =>
          mismatches.length === 0 ? (
            <Empty>{emptyText(state, kind !== undefined)}</Empty>
          ) : (
            <ul className="divide-y divide-line">
              {cardsOf(mismatches).map(({ mismatch, companions }) => (
                <MismatchCard
                  key={mismatch.id}
                  mismatch={mismatch}
                  companions={companions}
                  onChoose={(way) => setChosen({ mismatch, way })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {query.hasNextPage && (
        <div className="py-5 text-center">
          <Button
            onClick={() => void query.fetchNextPage()}
            aria-disabled={query.isFetchingNextPage}
          >
            {query.isFetchingNextPage ? "Loading…" : "Show more"}
          </Button>
        </div>
      )}
      {chosen !== undefined && <ResolveDialog {...chosen} onClose={() => setChosen(undefined)} />}
    </Screen>
  );
}

function emptyText(state: MismatchState, isFiltered: boolean): string {
  if (isFiltered) return "There is none of this kind.";
  return state === "open" ? "Every payment fits its order." : "No mismatch was resolved yet.";
}
