import { startTransition, useState } from "react";
import { useLocation, useNavigate } from "../../lib/router.tsx";
import { searchIn, shopAddress } from "./catalogue-address.ts";

/**
 * The search of the URL, and the text that is typed until `store` writes it there. Back and
 * links to other searches replace it.
 */
export function useSearchAddress() {
  const { search } = useLocation();
  const { text: textInUrl, sort } = searchIn(search);
  const [text, setText] = useState(textInUrl);
  const [stored, setStored] = useState(textInUrl);
  if (stored !== textInUrl) {
    setStored(textInUrl);
    setText(textInUrl);
  }
  const navigate = useNavigate();

  /** Changes the present URL: the one of this render is older if a sort was just chosen. */
  function store({ q = text, ...changes }: { readonly q?: string; readonly sort?: string }): void {
    const present = window.location.search;
    const address = shopAddress(present, { q, ...changes });
    if (address === shopAddress(present, {})) return;
    // In the same transition, so that the own change of the URL does not replace what is typed since.
    startTransition(() => {
      setStored(q);
      navigate(address, { replace: true });
    });
  }
  return { text, sort, setText, store };
}
