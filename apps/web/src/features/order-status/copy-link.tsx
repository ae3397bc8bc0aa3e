import { Link2 } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { showToast } from "../../ui/toast.ts";

/** Copies the address of an order's page, with which the order can be found again. */
export function CopyLink({ address }: { address: string }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(address);
      void showToast("success", "Link copied", "Whoever has it can see this order.");
    } catch {
      void showToast("error", "The link could not be copied", "Copy it from the address bar instead.");
    }
  }
  return (
    <Button onClick={copy}>
      <Link2 aria-hidden size={18} />
      Copy link
    </Button>
  );
}
