import { hasPermission, type Permission } from "@keepsats/protocol";
import type { ReactNode } from "react";
import { useSession } from "../lib/session.ts";
import { Screen } from "./screen.tsx";

interface PermittedProps {
  readonly permission: Permission;
  /** Completes "Your role cannot …", such as "send test emails". */
  readonly action: string;
  readonly children: ReactNode;
}

/**
 * Shows its children to staff with the permission, and a notice to other staff. The server enforces
 * the permission.
 */
export function Permitted({ permission, action, children }: PermittedProps) {
  const { role } = useSession().staff;
  if (hasPermission(role, permission)) return children;
  return <p className="py-2 text-ink-soft">Your role cannot {action}. Ask an owner.</p>;
}

/** The same for a screen. Its title is shown with the notice. */
export function PermittedScreen({ title, ...props }: PermittedProps & { readonly title: string }) {
  const { role } = useSession().staff;
  if (hasPermission(role, props.permission)) return props.children;
  return (
    <Screen title={title}>
      <Permitted {...props} />
    </Screen>
  );
}
