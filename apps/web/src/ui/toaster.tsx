import { Toaster as Sonner } from "sonner";

/** Where messages rise and fade by themselves. */
export default function Toaster() {
  return (
    <Sonner
      theme="system"
      duration={4000}
      visibleToasts={3}
      gap={14}
      hotkey={["altKey", "KeyT"]}
      position="bottom-left"
    />
  );
}
