import type { AdminItem } from "@keepsats/protocol";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";

export type OpenedDialog =
  /** `main` is the item of which the new one is a variant. */
  | { readonly kind: "new"; readonly main?: AdminItem }
  | { readonly kind: "import" }
  | { readonly kind: "categories" }
  | { readonly kind: "edit"; readonly item: AdminItem };

/**
 * The dialog that an address opens: `?open=new`, `?open=import` or `?edit=mug`; `undefined` for none.
 */
export function linkedDialog(
  parameters: URLSearchParams,
  items: readonly AdminItem[],
): OpenedDialog | undefined {
  const open = parameters.get("open");
  if (open === "new" || open === "import") return { kind: open };
  const item = items.find(({ id }) => id === parameters.get("edit"));
  return item === undefined ? undefined : { kind: "edit", item };
}

/**
 * The open dialog. One that the address opens is taken out of the address, so that a reload does not
 * open it again.
 *
 * @param items `undefined` until they have loaded
 */
export function useOpenedDialog(items: readonly AdminItem[] | undefined) {
  const [opened, setOpened] = useState<OpenedDialog>();
  const [parameters, setParameters] = useSearchParams();
  useEffect(() => {
    if (items === undefined || !(parameters.has("open") || parameters.has("edit"))) return;
    setOpened(linkedDialog(parameters, items));
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        next.delete("open");
        next.delete("edit");
        return next;
      },
      { replace: true },
    );
  }, [items, parameters, setParameters]);
  return [opened, setOpened] as const;
}
