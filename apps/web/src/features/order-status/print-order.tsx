import { Button } from "@keepsats/ui/button.tsx";
import { Printer } from "lucide-react";

/** Prints the page. @param as what it is in print: a receipt once the order is paid */
export function PrintOrder({ as }: { as: "receipt" | "order" }) {
  return (
    <Button onClick={() => window.print()}>
      <Printer aria-hidden size={18} />
      Print {as}
    </Button>
  );
}
