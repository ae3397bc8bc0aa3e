import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { Copy } from "lucide-react";
import { addressText, type ShippedOrder } from "../lib/format.ts";

/** Copies name and shipping address of an order. `read`: returns the order. */
export function CopyAddress({ read }: { read: () => Promise<ShippedOrder> }) {
  const toasts = useToasts();

  async function copy(): Promise<void> {
    try {
      const text = read().then(addressText);
      // A promise, because Safari writes to the clipboard only during the click.
      const blob = text.then((copied) => new Blob([copied], { type: "text/plain" }));
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
      toasts.success("Address copied", (await text).replaceAll("\n", ", "));
    } catch {
      const description = "Select the address on the page of the order, and copy it.";
      toasts.error("The address could not be copied", description);
    }
  }
  return (
    <Button onClick={() => void copy()}>
      <Copy aria-hidden size={18} />
      Copy address
    </Button>
  );
}
