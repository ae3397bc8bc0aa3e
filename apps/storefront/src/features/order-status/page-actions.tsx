import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { Link2, Printer, RefreshCw } from "lucide-react";

interface PageActionsProps {
  /** The URL to copy; `undefined` if no order is found. */
  readonly address: string | undefined;
  /** The document that is printed, a receipt once the order is paid; `undefined` without the order's key. */
  readonly printed: "receipt" | "order" | undefined;
  /** While the order is loading, the buttons keep their space, so that nothing shifts. */
  readonly isLoading: boolean;
}

export function PageActions({ address, printed, isLoading }: PageActionsProps) {
  const toasts = useToasts();

  async function copy(link: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(link);
      toasts.success("Link copied", "Anyone with this link can see your order.");
    } catch {
      toasts.error("The link could not be copied", "Copy it from the address bar instead.");
    }
  }

  return (
    <div className="flex flex-wrap gap-3 print:hidden">
      <Button onClick={() => window.history.go(0)}>
        <RefreshCw aria-hidden size={18} />
        Refresh
      </Button>
      <div className={classes("contents", isLoading && "invisible")}>
        {address !== undefined && (
          <Button onClick={() => copy(address)}>
            <Link2 aria-hidden size={18} />
            Copy link
          </Button>
        )}
        {printed !== undefined && (
          <Button onClick={() => window.print()}>
            <Printer aria-hidden size={18} />
            Print {printed}
          </Button>
        )}
      </div>
    </div>
  );
}
