import { itemImportSchema, type MerchantItem, paths } from "@keepsats/protocol";
import { Button, buttonClasses } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/text-link.ts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import * as z from "zod/mini";
import { Loaded } from "../../ui/loaded.tsx";
import { Screen } from "../../ui/screen.tsx";
import { FoundItems } from "./found-items.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { EditItemDialog, NewItemDialog } from "./item-dialog.tsx";
import { itemsQuery } from "./items-queries.ts";

type Opened =
  | { readonly kind: "new" }
  | { readonly kind: "import" }
  | { readonly kind: "edit"; readonly item: MerchantItem };

/** The catalogue: edited in place and in full, ordered, exported and imported. */
export default function ItemsScreen() {
  const query = useQuery(itemsQuery);
  const [opened, setOpened] = useState<Opened>();
  const edit = useCallback((item: MerchantItem) => setOpened({ kind: "edit", item }), []);
  /**
   * Closes what was open at that time: an import may end when its dialog is closed, and another one
   * open.
   */
  const close = () => setOpened((now) => (now === opened ? undefined : now));

  return (
    <Screen
      title="Items"
      actions={
        <div className="flex flex-wrap gap-2">
          <Button kind="strong" onClick={() => setOpened({ kind: "new" })}>
            New item
          </Button>
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
        </div>
      }
    >
      <Loaded query={query} what="The items">
        {(items) => <FoundItems items={items} onEdit={edit} />}
      </Loaded>
      <AboutStock />
      {opened?.kind === "new" && <NewItemDialog onClose={close} />}
      {opened?.kind === "edit" && <EditItemDialog item={opened.item} onClose={close} />}
      {opened?.kind === "import" && <ImportDialog onClose={close} />}
    </Screen>
  );
}

/** Why an export has no stock, and the way to count everything. */
function AboutStock() {
  return (
    <details className="pt-4">
      <summary className="inline-flex min-h-11 items-center underline underline-offset-4">
        Stock in exports and imports
      </summary>
      <p className="max-w-prose text-ink-soft">
        An export has no column for the stock. Orders go on while you edit the file, and an import
        of the old counts would put back what was sold meanwhile. An import without the column
        leaves every count as it is. To count everything at once, switch off “Shown in shop” for the
        items, so that nothing is sold, and{" "}
        <a
          href={`${paths.merchant.itemsCsv}?stock=1`}
          download="items-with-stock.csv"
          className={textLink}
        >
          export them with their stock
        </a>
        .
      </p>
    </details>
  );
}

/** The items as an import takes them, without counts: orders go on while the file is edited. */
function exported(items: readonly MerchantItem[]): string {
  const written = items.map(({ stock: _, ...item }) => item);
  return `${JSON.stringify(z.encode(itemImportSchema, { items: written }), null, 2)}\n`;
}

/** Saves a text as a file, as a download of the browser. */
function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // After the click the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
