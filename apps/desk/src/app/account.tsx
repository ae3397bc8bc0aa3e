import { IconButton } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { textLink } from "@keepsats/ui/text-link.ts";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { LogOut } from "lucide-react";
import { failureText } from "../lib/api.ts";
import { useSession, useSignOut } from "../lib/session.ts";

/** Who is signed in, and the way out. */
export function Account() {
  const { staff, shop_url } = useSession();
  const toasts = useToasts();
  const { mutate, isPending } = useSignOut();

  function signOut(): void {
    mutate(undefined, {
      onError: (error) =>
        toasts.show({
          kind: "error",
          title: "You are still signed in",
          description: failureText(error),
        }),
    });
  }
  return (
    <div className="flex min-w-0 items-center justify-between gap-2 lg:mt-auto lg:pl-3">
      <a
        href={shop_url}
        target="_blank"
        rel="noopener"
        className={classes(
          textLink,
          "inline-flex min-h-11 items-center text-sm whitespace-nowrap lg:hidden",
        )}
      >
        View shop
      </a>
      <span className="truncate text-sm text-ink-soft">{staff.name}</span>
      <IconButton label="Sign out" title="Sign out" disabled={isPending} onClick={signOut}>
        <LogOut aria-hidden size={18} />
      </IconButton>
    </div>
  );
}
