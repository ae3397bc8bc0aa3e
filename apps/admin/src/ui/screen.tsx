import { type ReactNode, useEffect } from "react";

interface ScreenProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen with its heading, which is also the title of the tab. */
export function Screen({ title, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · Admin`;
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
