import { useRef, useState } from "react";
import { errorText } from "../../../lib/api.ts";
import { uploadPicture } from "../../../lib/pictures.ts";

export type Uploads = ReturnType<typeof useUploads>;

/**
 * Uploads files one after another, because the server processes few at a time. A failed file does
 * not stop the others.
 *
 * @param onUploaded called with the address of each picture, in the order of the files
 * @returns `waiting`: the number of files that are not uploaded yet
 */
export function useUploads(onUploaded: (url: string) => void) {
  const [waiting, setWaiting] = useState(0);
  const [failures, setFailures] = useState<readonly string[]>([]);
  const queue = useRef(Promise.resolve());

  async function upload(file: File): Promise<void> {
    try {
      onUploaded((await uploadPicture(file)).url);
    } catch (error) {
      setFailures((now) => [...now, `${file.name}: ${errorText(error)}`]);
    }
    setWaiting((count) => count - 1);
  }
  function add(files: Iterable<File>): void {
    const chosen = [...files];
    if (chosen.length === 0) return;
    if (waiting === 0) setFailures([]);
    setWaiting((count) => count + chosen.length);
    for (const file of chosen) queue.current = queue.current.then(() => upload(file));
  }
  return { waiting, failures, add };
}
