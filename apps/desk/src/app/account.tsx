import { IconButton } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { LogOut } from "lucide-react";
import { failureText } from "../lib/api.ts";
import { useSession, useSignOut } from "../lib/session.ts";

/** Who is signed in, and the way out. */
export function Account() {
  const { staff } = useSession();
  const toasts = useToasts();
  const { mutate, isPending } = useSignOut();

  function signOut(): void {
    mutate(undefined, {
      onError: (error) =>
        toasts.show({ kind: "error", title: "You are still signed in", description: failureText(error) }),
    });
  }
  return (
    <div className="flex min-w-0 items-center justify-between gap-2 lg:mt-auto lg:pl-3">
      <span className="truncate text-sm text-ink-soft">{staff.name}</span>
      <IconButton label="Sign out" title="Sign out" disabled={isPending} onClick={signOut}>
        <LogOut aria-hidden size={18} />
      </IconButton>
    </div>
  );
}
