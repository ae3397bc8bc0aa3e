import { Button } from "@keepsats/ui/button.tsx";

/**
 * For the frames: the message that the page's JavaScript has not loaded, which CSS shows after 15
 * seconds. The app removes it together with the frame. The inline script of `index.html` handles
 * the button; `location.reload()` keeps the fragment of the address, which holds the key of an
 * order.
 */
export function NotLoaded() {
  return (
    <div
      role="alert"
      className="fixed inset-x-0 bottom-0 z-40 flex animate-late flex-wrap items-center justify-center gap-x-6 gap-y-3 border-t border-line bg-paper px-4 pt-3 pb-(--bottom-bar-padding)"
    >
      <p>This page is not loading.</p>
      <Button id="reload">Reload the page</Button>
    </div>
  );
}
