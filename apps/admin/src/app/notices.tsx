import { IconButton } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { type Toast, useToasts } from "@keepsats/ui/toasts.ts";
import { X } from "lucide-react";
import { useEffect, useState } from "react";

interface Notice extends Toast {
  readonly number: number;
}

/** How long a success stays, in milliseconds. A failure stays until it is closed. */
const SHOWN_FOR = 6_000;
const MAX_SHOWN = 3;

/** Shows toasts at the bottom, without a style element: the content security policy forbids it. */
export function Notices() {
  const toasts = useToasts();
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const [remove] = useState(() => (number: number) => {
    setNotices((now) => now.filter((notice) => notice.number !== number));
  });

  useEffect(() => {
    let last = 0;
    return toasts.listen((toast) => {
      last += 1;
      const notice = { ...toast, number: last };
      setNotices((now) => [...now, notice].slice(-MAX_SHOWN));
      if (toast.kind === "success") setTimeout(() => remove(notice.number), SHOWN_FOR);
    });
  }, [toasts, remove]);

  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-(--notice-bottom) z-40 flex flex-col items-center gap-2 print:hidden"
    >
      {notices.map(({ number, kind, title, description }) => (
        <div
          key={number}
          className="pointer-events-auto flex w-full max-w-md animate-arrive items-start gap-3 rounded-md border border-line bg-raised py-2 pr-2 pl-4 shadow-float"
        >
          <div className="min-w-0 grow py-1.5 wrap-anywhere">
            <p className={classes("font-medium", kind === "error" && "text-danger")}>{title}</p>
            {description !== "" && <p className="text-sm text-ink-soft">{description}</p>}
          </div>
          <IconButton label="Close" onClick={() => remove(number)}>
            <X aria-hidden size={18} />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
