import { Dialog as Primitive } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactElement, ReactNode } from "react";

interface DialogProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly title: string;
  readonly children: ReactNode;
}

/** A modal dialog: the focus stays in it until it is closed. */
export function Dialog({ trigger, title, children }: DialogProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger render={trigger} />
      <Primitive.Portal>
        <Primitive.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Primitive.Popup className="fixed inset-x-4 top-1/2 z-50 mx-auto max-h-(--dialog-height) max-w-lg -translate-y-1/2 overflow-y-auto rounded-lg border border-line bg-raised p-6 shadow-float transition-[opacity,scale] data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0 sm:p-8">
          <Primitive.Title className="mb-4 pr-10 text-xl">{title}</Primitive.Title>
          <Primitive.Description render={<div />}>{children}</Primitive.Description>
          <Primitive.Close
            aria-label="Close"
            className="absolute top-4 right-4 inline-flex size-11 items-center justify-center rounded-full text-ink-soft hover:bg-sunken hover:text-ink focus-visible:rounded-full"
          >
            <X aria-hidden size={20} />
          </Primitive.Close>
        </Primitive.Popup>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
