import type { ReactNode } from "react";

/** The buttons at the end of a form. In a dialog they stay in sight at the bottom while the form above them scrolls. */
export function FormActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-3 in-[dialog]:sticky in-[dialog]:bottom-0 in-[dialog]:z-10 in-[dialog]:-mx-6 in-[dialog]:-mb-6 in-[dialog]:border-t in-[dialog]:border-line in-[dialog]:bg-raised in-[dialog]:px-6 in-[dialog]:py-4 sm:in-[dialog]:-mx-8 sm:in-[dialog]:-mb-8 sm:in-[dialog]:px-8">
      {children}
    </div>
  );
}
