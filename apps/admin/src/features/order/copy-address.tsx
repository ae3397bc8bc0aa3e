import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { Copy } from "lucide-react";
import { addressText, type ShippedOrder } from "../../lib/format.ts";

/** Copies name and shipping address of an order. */
export function CopyAddress({ order }: { order: ShippedOrder }) {
  const toasts = useToasts();
  const text = addressText(order);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      toasts.success("Address copied", text.replaceAll("\n", ", "));
    } catch {
      const description = "Select the address on the page of the order, and copy it.";
      toasts.error("Address not copied", description);
    }
  }
  return (
    <Button onClick={() => void copy()}>
      <Copy aria-hidden size={18} />
      Copy address
    </Button>
  );
}
