import { MAX_PICTURE_BYTES } from "@keepsats/protocol";
import { useRef, useState } from "react";
import { changeErrorText } from "../../../lib/api.ts";
import { uploadPicture } from "../queries.ts";

export interface Uploads {
  /** The number of files that are not uploaded yet. */
  readonly waiting: number;
  /** The failures, each with the name of its file. */
  readonly failures: readonly string[];
  add(files: Iterable<File>): void;
}

/**
 * Uploads files one after another, because the server processes few at a time. A failed file does
 * not stop the others.
 *
 * @param onUploaded called with the address of each picture, in the order of the files
 */
export function useUploads(onUploaded: (url: string) => void): Uploads {
  const [waiting, setWaiting] = useState(0);
  const [failures, setFailures] = useState<readonly string[]>([]);
  const queue = useRef(Promise.resolve());

  async function upload(file: File): Promise<void> {
    const failure = await failureOf(file, onUploaded);
    if (failure !== undefined) setFailures((now) => [...now, `${file.name}: ${failure}`]);
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

async function failureOf(
  file: File,
  onUploaded: (url: string) => void,
): Promise<string | undefined> {
  // The server would close the connection before the end of the file, so the browser would not see
  // its response.
  if (file.size > MAX_PICTURE_BYTES)
    return `A picture may have at most ${MAX_PICTURE_BYTES / 1024 / 1024} MB.`;
  try {
    onUploaded((await uploadPicture(file)).url);
    return undefined;
  } catch (error) {
    return changeErrorText(error);
  }
}
