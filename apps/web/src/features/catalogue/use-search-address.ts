import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate, useNavigationType, useSearchParams } from "react-router";
import { type SearchAddress, searchIn, withSearch } from "./catalogue-address.ts";

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
  const [query] = useSearchParams();
  const { text: textInAddress, sort } = searchIn(query);
  const [text, setText] = useState(textInAddress);
  useAddressOfOthers(() => setText(textInAddress));
  const navigate = useNavigate();

  function store(search: SearchAddress): void {
    if (search.text === textInAddress && search.sort === sort) return;
    void navigate({ search: withSearch(query, search) }, { replace: true, state: ownChange });
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
  const { key, state } = useLocation();
  const isOwn =
    useNavigationType() === "REPLACE" && Reflect.get(Object(state), "searched") === true;
  const [seen, setSeen] = useState(key);
  if (key === seen) return;
  setSeen(key);
  if (!isOwn) onChange();
}
