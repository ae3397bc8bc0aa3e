import { useToasts } from "@keepsats/ui/toasts.ts";
import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";

const belowDialogs = 35;

/**
 * The toasts of the page, below the top bar: at the bottom of a phone they would cover the button
 * of the next step.
 */
export default function Toaster() {
  const toasts = useToasts();
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
      position="top-center"
      offset={{ top: "var(--toast-top)" }}
      mobileOffset={{
        top: "var(--toast-top)",
        left: "var(--toast-side)",
        right: "var(--toast-side)",
      }}
    />
  );
}
