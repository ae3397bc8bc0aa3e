import { type AdminItem, itemImportSchema, paths } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/classes.ts";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import * as z from "zod/mini";
import { itemsQuery } from "../../lib/items.ts";
import { Download, startDownload } from "../../ui/download.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Screen } from "../../ui/screen.tsx";
import { CategoriesDialog } from "./categories-dialog.tsx";
import { FoundItems } from "./found-items.tsx";
import { ImportDialog } from "./import/import-dialog.tsx";
import { EditItemDialog, NewItemDialog } from "./item-dialog.tsx";
import { useOpenedDialog } from "./opened-dialog.ts";

export default function ItemsScreen() {
  const query = useQuery(itemsQuery);
  const [opened, setOpened] = useOpenedDialog(query.data);
  const edit = useCallback((item: AdminItem) => setOpened({ kind: "edit", item }), [setOpened]);
  /** An import may end after its dialog is closed. It must not close the next dialog. */
  const close = () => setOpened((now) => (now === opened ? undefined : now));

  return (
    <Screen
      title="Items"
      actions={
        <div className="flex flex-wrap gap-2">
          <Button kind="strong" onClick={() => setOpened({ kind: "new" })}>
            New item
          </Button>
          <Download path={paths.admin.itemsCsv} name="items.csv">
            Export as CSV
          </Download>
          <Button
            disabled={query.data === undefined}
            onClick={() => saveText("items.json", exported(query.data ?? []))}
          >
            Export as JSON
          </Button>
          <Button onClick={() => setOpened({ kind: "import" })}>Import…</Button>
          <Button onClick={() => setOpened({ kind: "categories" })}>Categories…</Button>
        </div>
      }
    >
      <Loaded query={query} subject="The items">
        {(items) => <FoundItems items={items} onEdit={edit} />}
      </Loaded>
      <AboutStock />
      {opened?.kind === "new" && <NewItemDialog main={opened.main} onClose={close} />}
      {opened?.kind === "edit" && (
        <EditItemDialog
          item={opened.item}
          onAddVariant={(main) => setOpened({ kind: "new", main })}
          onClose={close}
        />
      )}
      {opened?.kind === "categories" && <CategoriesDialog onClose={close} />}
      {opened?.kind === "import" && <ImportDialog onClose={close} />}
    </Screen>
  );
}

function AboutStock() {
  return (
    <details className="pt-4">
      <summary className="inline-flex min-h-11 items-center underline underline-offset-4">
        Stock in exports and imports
      </summary>
      <p className="max-w-prose text-ink-soft">
        Exports have no stock column. Orders continue while you edit the file, and an import with
        the old counts would undo them. An import without the column leaves the stock unchanged. For
        a stocktake, switch off “Shown in shop” for the items, so that nothing is sold, and{" "}
        <a
          href={`${paths.admin.itemsCsv}?stock=1`}
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

/**
 * The items in the format of an import, without stock: orders continue while the file is edited.
 */
function exported(items: readonly AdminItem[]): string {
  const written = items.map(({ stock: _, ...item }) => item);
  return `${JSON.stringify(z.encode(itemImportSchema, { items: written }), null, 2)}\n`;
}

function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  startDownload(url, name);
  // Delayed, because the browser starts to read it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
