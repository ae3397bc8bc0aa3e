import type { ReactNode } from "react";
import { useSession } from "../../lib/session.ts";

interface OwnerOnlyProps {
  /** What owners alone do, as in "Only owners change the shop settings." */
  readonly what: string;
  readonly children: ReactNode;
}

/** Shows something to owners, and to others one line instead. The server refuses it to them too. */
export function OwnerOnly({ what, children }: OwnerOnlyProps) {
  const { staff } = useSession();
  return staff.role === "owner" ? children : <p className="py-2 text-ink-soft">Only owners {what}.</p>;
}
