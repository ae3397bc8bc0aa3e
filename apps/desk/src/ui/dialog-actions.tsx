import type { ReactNode } from "react";

/** The buttons at the end of a dialog's form. They stay in sight at the bottom while the form above them scrolls. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-10 -mx-6 -mb-6 flex flex-wrap justify-between gap-3 border-t border-line bg-raised px-6 py-4 sm:-mx-8 sm:-mb-8 sm:px-8">
      {children}
    </div>
  );
}
