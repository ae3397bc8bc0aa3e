import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate } from "../../lib/router.tsx";
import { type SearchAddress, searchIn, shopAddress } from "./catalogue-address.ts";

/**
 * How long typing must pause before the text is in the address, in milliseconds: browsers limit how
 * often it changes.
 */
const PAUSE = 300;

interface Search extends SearchAddress {
  type(text: string): void;
  sortBy(sort: string): void;
  /** Puts what was typed into the address at once. */
  flush(): void;
}

/**
 * The search of the address, and what has been typed since. Back and links to other searches
 * replace what was typed.
 */
export function useSearchAddress(): Search {
  const { search } = useLocation();
  const { text: textInAddress, sort } = searchIn(search);
  const [text, setText] = useState(textInAddress);
  useAddressOfOthers(() => setText(textInAddress));
  const navigate = useNavigate();

  function store(other: SearchAddress): void {
    if (other.text === textInAddress && other.sort === sort) return;
    const address = shopAddress(search, { q: other.text, sort: other.sort });
    navigate(address, { replace: true, state: ownChange });
  }
  const flush = () => store({ text, sort });
  const onPause = useEffectEvent(flush);
  useEffect(() => {
    if (text === textInAddress) return;
    const timer = setTimeout(() => onPause(), PAUSE);
    return () => clearTimeout(timer);
  }, [text, textInAddress]);

  return { text, sort, type: setText, sortBy: (other) => store({ text, sort: other }), flush };
}

/** The state of a history entry whose address this search has changed. */
const ownChange = { searched: true };

/**
 * Calls the function, while it renders, after each change of the address that was not the search's
 * own.
 */
function useAddressOfOthers(onChange: () => void): void {
  const location = useLocation();
  const [seen, setSeen] = useState(location);
  if (location === seen) return;
  setSeen(location);
  const { action, state } = location;
  if (action !== "replace" || Reflect.get(Object(state), "searched") !== true) onChange();
}
