import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate } from "../../lib/router.tsx";
import { searchIn, shopAddress } from "./catalogue-address.ts";

/** The debounce of the URL, in milliseconds: browsers limit the rate of its changes. */
const DEBOUNCE = 300;

/** The search of the URL and the text typed since. Back and links to other searches replace it. */
export function useSearchAddress() {
  const { search } = useLocation();
  const { text: textInUrl, sort } = searchIn(search);
  const [text, setText] = useState(textInUrl);
  useOtherNavigation(() => setText(textInUrl));
  const navigate = useNavigate();

  /** Changes the present URL: the one of this render is older if a sort was just chosen. */
  function store(changes: { readonly q: string; readonly sort?: string }): void {
    const present = window.location.search;
    const address = shopAddress(present, changes);
    if (address !== shopAddress(present, {}))
      navigate(address, { replace: true, state: ownChange });
  }
  /** Writes the text to the URL at once. */
  const flush = () => store({ q: text });
  const onDebounced = useEffectEvent(flush);
  useEffect(() => {
    if (text === textInUrl) return;
    const timer = setTimeout(() => onDebounced(), DEBOUNCE);
    return () => clearTimeout(timer);
  }, [text, textInUrl]);

  return {
    text,
    sort,
    type: setText,
    sortBy: (other: string) => store({ q: text, sort: other }),
    flush,
  };
}

/** The state of a history entry that this search has changed. */
const ownChange = { searched: true };

/** Calls the function during the render after each navigation that was not made by the search. */
function useOtherNavigation(onChange: () => void): void {
  const location = useLocation();
  const [seen, setSeen] = useState(location);
  if (location === seen) return;
  setSeen(location);
  const { action, state } = location;
  if (action !== "replace" || Reflect.get(Object(state), "searched") !== true) onChange();
}
