import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { useToasts } from "./toasts.ts";

const belowTopBar = 80;
const belowDialogs = 35;

/** Where messages rise and fade by themselves. */
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
      offset={{ top: belowTopBar }}
      mobileOffset={{ top: belowTopBar, left: 16, right: 16 }}
    />
  );
}
