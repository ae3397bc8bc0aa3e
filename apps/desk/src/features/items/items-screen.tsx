import { itemImportSchema, type MerchantItem, paths } from "@keepsats/protocol";
import { Button, buttonClasses } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import * as z from "zod/mini";
import { failureText } from "../../lib/api.ts";
import { Input } from "../../ui/input.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { ItemDialog } from "./item-dialog.tsx";
import { inOrder, moved } from "./item-order.ts";
import { changeItem, idsByStockQuery, itemsQuery, storeOrder } from "./items-queries.ts";
import { ItemsTable } from "./items-table.tsx";
import { saveText } from "./save-text.ts";

/** How many items are shown at a time. */
const AT_A_TIME = 200;

type Opened =
  | { readonly kind: "new" }
  | { readonly kind: "import" }
  | { readonly kind: "edit"; readonly item: MerchantItem };

/** The catalogue: edited in place and in full, ordered, exported and imported. */
export default function ItemsScreen() {
  const query = useQuery(itemsQuery);
  const [opened, setOpened] = useState<Opened>();
  const [text, setText] = useState("");
  const [shown, setShown] = useState(AT_A_TIME);
  const { move, hide } = useItemChanges();
  const { stock, ids, showAll } = useStockFilter();
  const close = () => setOpened(undefined);

  return (
    <Screen
      title="Items"
      actions={
        <div className="flex flex-wrap gap-2">
          <a href={paths.merchant.itemsCsv} download="items.csv" className={buttonClasses("plain")}>
            Export as CSV
          </a>
          <Button
            disabled={query.data === undefined}
            onClick={() => saveText("items.json", exported(query.data ?? []))}
          >
            Export as JSON
          </Button>
          <Button onClick={() => setOpened({ kind: "import" })}>Import…</Button>
          <Button kind="strong" onClick={() => setOpened({ kind: "new" })}>
            New item
          </Button>
        </div>
      }
    >
      <Loaded query={query} what="The items">
        {(items) => {
          const found = items.filter((item) => isFound(item, text) && ids?.has(item.id) !== false);
          return (
            <>
              <Input
                label="Search"
                type="search"
                value={text}
                onChange={({ target }) => setText(target.value)}
                className="mb-4 max-w-md"
              />
              {stock !== undefined && (
                <p className="mb-4 flex flex-wrap items-center gap-3">
                  {stock === "low"
                    ? "Only items of which a few pieces are left."
                    : "Only items that are sold out."}
                  <Button onClick={showAll}>Show all</Button>
                </p>
              )}
              {found.length === 0 ? (
                <Empty>{items.length === 0 ? "There are no items yet." : "No item is like this."}</Empty>
              ) : (
                <ItemsTable
                  items={found.slice(0, shown)}
                  canMove={stock === undefined && found.length === items.length}
                  onMove={(id, to) => move(items, id, to)}
                  onEdit={(item) => setOpened({ kind: "edit", item })}
                  onHide={hide}
                />
              )}
              {found.length > shown && (
                <div className="py-5 text-center">
                  <Button onClick={() => setShown(shown + AT_A_TIME)}>Show more</Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
      {opened?.kind === "new" && <ItemDialog item={undefined} onClose={close} />}
      {opened?.kind === "edit" && <ItemDialog item={opened.item} onClose={close} />}
      {opened?.kind === "import" && <ImportDialog onClose={close} />}
    </Screen>
  );
}

/** The filter of the address, as in the links of the screen Today: `?stock=low`. `ids` is `undefined` for all items. */
function useStockFilter() {
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get("stock");
  const stock = asked === "low" || asked === "none" ? asked : undefined;
  const { data } = useQuery({ ...idsByStockQuery(stock ?? "low"), enabled: stock !== undefined });
  return {
    stock,
    ids: stock === undefined ? undefined : data,
    showAll: () => setParameters({}, { replace: true }),
  };
}

/** Changes that show at once, and are taken back if the shop refuses them. */
function useItemChanges() {
  const client = useQueryClient();
  const toasts = useToasts();
  const readAnew = () => client.invalidateQueries({ queryKey: itemsQuery.queryKey });
  function fail(error: unknown): void {
    toasts.show({ kind: "error", title: "The items were not changed.", description: failureText(error) });
  }
  function show(change: (items: readonly MerchantItem[]) => MerchantItem[]): void {
    client.setQueryData(itemsQuery.queryKey, (items) => (items === undefined ? undefined : change(items)));
  }
  // One after the other, so that the last order is the one that stays.
  const order = useMutation({
    mutationFn: storeOrder,
    scope: { id: "order of items" },
    onError: fail,
    onSettled: readAnew,
  });
  const visibility = useMutation({
    mutationFn: ({ item, hidden }: { item: MerchantItem; hidden: boolean }) => changeItem(item, { hidden }),
    onError: fail,
    onSettled: readAnew,
  });
  return {
    move(items: readonly MerchantItem[], id: string, to: number): void {
      const ids = moved(
        items.map((item) => item.id),
        id,
        to,
      );
      show((now) => inOrder(now, ids));
      order.mutate(ids);
    },
    hide(item: MerchantItem, hidden: boolean): void {
      show((now) => now.map((one) => (one.id === item.id ? { ...one, hidden } : one)));
      visibility.mutate({ item, hidden });
    },
  };
}

function isFound({ id, name }: MerchantItem, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return name.toLowerCase().includes(wanted) || id.toLowerCase().includes(wanted);
}

/** The items as an import takes them, without counts: orders go on while the file is edited. */
function exported(items: readonly MerchantItem[]): string {
  const written = items.map(({ stock: _, ...item }) => item);
  return `${JSON.stringify(z.encode(itemImportSchema, { items: written }), null, 2)}\n`;
}
