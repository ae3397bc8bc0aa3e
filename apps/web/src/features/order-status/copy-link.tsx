import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { Link2 } from "lucide-react";

/** A button that copies the address of the order page. */
export function CopyLink({ address }: { address: string }) {
  const toasts = useToasts();

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(address);
      const description = "Anyone with this link can see your order.";
      toasts.show({ kind: "success", title: "Link copied", description });
    } catch {
      const description = "Copy it from the address bar instead.";
      toasts.show({ kind: "error", title: "The link could not be copied", description });
    }
  }
  return (
    <Button onClick={copy}>
      <Link2 aria-hidden size={18} />
      Copy link
    </Button>
  );
}
