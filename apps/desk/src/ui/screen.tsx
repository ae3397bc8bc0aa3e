import type { ReactNode } from "react";
import { useEffect } from "react";

interface ScreenProps {
  readonly title: string;
  /** Beside the title, such as buttons. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen of the desk: its heading, which is the title of the tab too, and its content. */
export function Screen({ title, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · Desk`;
  }, [title]);
  return (
    <>
      <div className="mb-5 flex min-h-11 flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl wrap-anywhere">{title}</h1>
        {actions}
      </div>
      {children}
    </>
  );
}

/** A part of a screen under a heading of its own. */
export function Section({ title, actions, children }: ScreenProps) {
  return (
    <section aria-label={title} className="border-t border-line py-5">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
