import { X } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from "react";
import { IconButton } from "./button.tsx";
import { classes } from "./classes.ts";

export interface ModalProps {
  readonly title: string;
  /** The id of the element that screen readers read as the description. */
  readonly describedBy?: string;
  /** Called once, after the dialog has closed. The caller then stops rendering it. */
  readonly onClose: () => void;
  /** Asked before Escape, the button "Close" or a click outside closes the dialog. */
  readonly mayClose?: () => boolean;
  /**
   * `wide`: two columns, and the whole window of a phone; the title is for screen readers only,
   * because the content shows it.
   */
  readonly size?: "text" | "wide";
  readonly children: ReactNode;
}

const wholePhone =
  "max-sm:m-0 max-sm:h-dvh max-sm:max-h-none max-sm:w-full max-sm:max-w-none max-sm:rounded-none max-sm:border-0";

/**
 * Records whether the page has a scrollbar that takes up space, so that the space is kept while
 * dialogs hide it.
 */
function recordScrollbar(): void {
  const root = document.documentElement;
  if (document.querySelector("dialog:modal") === null)
    root.toggleAttribute("data-scrollbar", window.innerWidth > root.clientWidth);
}

/**
 * A modal dialog, open while it is rendered. The browser keeps the focus in it, closes it on
 * Escape, and then restores the focus.
 */
export function Modal({
  title,
  describedBy,
  onClose,
  mayClose = () => true,
  size = "text",
  children,
}: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isClosed = useRef(false);
  const pressed = useRef<EventTarget>(null);
  const titleId = useId();
  // A layout effect, because a dialog that is removed while it is open does not restore the focus.
  useLayoutEffect(() => {
    const opened = dialog.current;
    recordScrollbar();
    opened?.showModal();
    return () => opened?.close();
  }, []);
  /**
   * Calls `onClose` at once. The browser's `close` event comes later: a key pressed in between, on
   * the button that opens the dialog, would have no effect.
   */
  function close(): void {
    if (isClosed.current) return;
    if (!mayClose()) {
      // Chrome does not wait for an answer if Escape is pressed again without other input.
      if (dialog.current?.open === false) dialog.current.showModal();
      return;
    }
    isClosed.current = true;
    dialog.current?.close();
    onClose();
  }

  /**
   * For Escape, a form with the method "dialog", and a click on the backdrop. In React, events of
   * elements in the dialog, such as the `cancel` of a file input, bubble to it too.
   */
  function closeIfTarget(event: SyntheticEvent): void {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    close();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, by the browser.
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onCancel={closeIfTarget}
      onClose={closeIfTarget}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={(event) => {
        // Not at the end of a selection that began inside.
        if (pressed.current === event.target) closeIfTarget(event);
      }}
      className={classes(
        "m-auto max-h-(--dialog-height) w-(--dialog-width) animate-arrive scroll-pb-20 overflow-y-auto overscroll-contain rounded-lg",
        "border border-line bg-raised text-ink shadow-float backdrop:bg-veil",
        size === "wide" ? classes("max-w-4xl", wholePhone) : "max-w-lg",
      )}
    >
      <div className="sticky top-0 z-10 h-0">
        <IconButton label="Close" onClick={close} className="absolute top-4 right-4 bg-raised">
          <X aria-hidden size={20} />
        </IconButton>
      </div>
      <div className={size === "wide" ? "flex min-h-full flex-col p-4 sm:p-8" : "p-6 sm:p-8"}>
        <h2
          id={titleId}
          className={size === "wide" ? "sr-only" : "mb-4 pr-10 text-xl wrap-anywhere"}
        >
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}
