import { Button } from "@keepsats/ui/button.tsx";
import { Modal } from "@keepsats/ui/modal.tsx";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { leavingPath } from "./leaving-path.ts";

/** Asks before a link, a reload or the closing of the tab drops what was typed. Shown while there is something to lose. */
export function LeaveQuestion({ onDiscard }: { onDiscard: () => void }) {
  const navigate = useNavigate();
  const [to, setTo] = useState<string>();

  useEffect(() => {
    const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault();
    /** In the capture phase, before the link itself hears of the click. */
    function onClick(event: MouseEvent): void {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const path = link === null ? undefined : leavingPath(event, link, window.location.href);
      if (path === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      setTo(path);
    }
    window.addEventListener("beforeunload", askBrowser);
    document.addEventListener("click", onClick, { capture: true });
    return () => {
      window.removeEventListener("beforeunload", askBrowser);
      document.removeEventListener("click", onClick, { capture: true });
    };
  }, []);

  if (to === undefined) return null;
  function leave(path: string): void {
    onDiscard();
    void navigate(path);
  }
  return (
    <Modal title="Leave without saving?" onClose={() => setTo(undefined)}>
      <p className="mb-5">What you have changed here is not saved.</p>
      <div className="flex flex-wrap gap-3">
        <Button kind="strong" onClick={() => setTo(undefined)}>
          Stay
        </Button>
        <Button onClick={() => leave(to)}>Leave without saving</Button>
      </div>
    </Modal>
  );
}
