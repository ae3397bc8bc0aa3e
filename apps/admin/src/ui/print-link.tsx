import { buttonClasses } from "@keepsats/ui/button.tsx";

/** A link to a page for printing, in a new tab. */
export function PrintLink({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noopener" className={buttonClasses("plain")}>
      {children}
    </a>
  );
}
