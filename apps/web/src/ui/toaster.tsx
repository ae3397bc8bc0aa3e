import { useToasts } from "@keepsats/ui/toasts.ts";
import { useEffect, useSyncExternalStore } from "react";
import { Toaster as Sonner, toast } from "sonner";

const belowDialogs = 35;

/** Up to this width, in pixels, the library takes `mobileOffset`. */
const phoneWidth = 600;
const phone = window.matchMedia(`(max-width: ${phoneWidth}px)`);

function onPhoneChange(listener: () => void): () => void {
  phone.addEventListener("change", listener);
  return () => phone.removeEventListener("change", listener);
}

/** Shows the toasts of the page: at the bottom on a phone, where they would cover the heading at the top. */
export default function Toaster() {
  const toasts = useToasts();
  const isPhone = useSyncExternalStore(onPhoneChange, () => phone.matches);
  useEffect(
    () => toasts.listen(({ kind, title, description }) => toast[kind](title, { description })),
    [toasts],
  );
  return (
    <Sonner
      theme="system"
      duration={4000}
      visibleToasts={3}
      gap={14}
      style={{ zIndex: belowDialogs }}
      hotkey={["altKey", "KeyT"]}
      position={isPhone ? "bottom-center" : "top-center"}
      offset={{ top: "var(--toast-top)" }}
      mobileOffset={{ bottom: "var(--toast-bottom)", left: "var(--toast-side)", right: "var(--toast-side)" }}
    />
  );
}
