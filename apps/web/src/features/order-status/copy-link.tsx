import { Link2 } from "lucide-react";
import { toast } from "sonner";
import { Button } from "../../ui/button.tsx";

/** Copies the address of this page, with which the order can be found again. */
export function CopyLink() {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(window.location.href);
      toast.success("Link copied", { description: "Whoever has it can see this order." });
    } catch {
      toast.error("The link could not be copied", { description: "Copy it from the address bar instead." });
    }
  }
  return (
    <Button onClick={copy}>
      <Link2 aria-hidden size={18} />
      Copy link
    </Button>
  );
}
