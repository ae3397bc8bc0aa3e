import { useEffect, useEffectEvent, useState } from "react";

/**
 * Takes files that are dropped or pasted anywhere on the page: a paste goes to the focused element,
 * and the browser would leave the page for a file that is dropped beside a target.
 *
 * @returns whether files are dragged over the page
 */
export function useFileDrop(onFiles: (files: Iterable<File>) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const take = useEffectEvent((event: Event, files: FileList | undefined) => {
    if (files === undefined || files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  });
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const withFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    function over(event: DragEvent): void {
      if (!withFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    }
    /** Without a related target the pointer has left the window. */
    function leave({ relatedTarget }: DragEvent): void {
      if (relatedTarget === null) setIsOver(false);
    }
    function drop(event: DragEvent): void {
      setIsOver(false);
      take(event, event.dataTransfer?.files);
    }
    document.addEventListener("dragover", over, { signal });
    document.addEventListener("dragleave", leave, { signal });
    document.addEventListener("drop", drop, { signal });
    document.addEventListener("paste", (event) => take(event, event.clipboardData?.files), {
      signal,
    });
    return () => listening.abort();
  }, []);
  return isOver;
}
