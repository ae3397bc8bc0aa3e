import { hasPermission, type Permission } from "@keepsats/protocol";
import type { ReactNode } from "react";
import { useSession } from "../../lib/session.ts";

interface PermittedProps {
  readonly permission: Permission;
  /** Completes "Your role cannot …", such as "send test emails". */
  readonly what: string;
  readonly children: ReactNode;
}

/**
 * Shows its children to staff with the permission, and a notice to other staff. The server enforces
 * the permission.
 */
export function Permitted({ permission, what, children }: PermittedProps) {
  const { role } = useSession().staff;
  if (hasPermission(role, permission)) return children;
  return <p className="py-2 text-ink-soft">Your role cannot {what}. Ask an owner.</p>;
}
