import { hasPermission, type Permission } from "@keepsats/protocol";
import type { ReactNode } from "react";
import { useSession } from "../../lib/session.ts";

interface PermittedProps {
  readonly permission: Permission;
  /** What the permission allows, as in "Your role cannot send test emails." */
  readonly what: string;
  readonly children: ReactNode;
}

/** Shows a part to staff with the permission, and to others one line instead. The server refuses it to them too. */
export function Permitted({ permission, what, children }: PermittedProps) {
  const { role } = useSession().staff;
  if (hasPermission(role, permission)) return children;
  return <p className="py-2 text-ink-soft">Your role cannot {what}. Ask an owner.</p>;
}
