import { call } from "@keepsats/client";
import { MAX_PICTURE_BYTES, paths, pictureSchema } from "@keepsats/protocol";
import { Button, buttonClasses } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import type { ChangeEvent } from "react";
import { useAction } from "./use-action.ts";

const MEGABYTE = 1024 * 1024;

interface LogoUploadProps {
  readonly hasLogo: boolean;
  /** Called with the new address; empty for none. */
  readonly onChange: (address: string) => void;
}

/** Uploads a picture whose address becomes that of the logo once it is saved. */
export function LogoUpload({ hasLogo, onChange }: LogoUploadProps) {
  const { mutate, isPending, failure } = useAction(upload, { rereads: [] });

  function onFile({ target }: ChangeEvent<HTMLInputElement>): void {
    const file = target.files?.[0];
    // Emptied, so that the same file can be chosen again after a failure.
    target.value = "";
    if (file !== undefined) mutate(file, { onSuccess: ({ url }) => onChange(url) });
  }
  return (
    <div className="flex flex-wrap items-center gap-3 pt-2">
      <label
        className={classes(
          buttonClasses("plain"),
          "relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2",
        )}
      >
        {isPending ? "Uploading…" : "Upload a logo"}
        <input
          type="file"
          accept="image/png,image/jpeg,image/webp,image/avif,image/gif"
          disabled={isPending}
          onChange={onFile}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
      </label>
      {hasLogo && <Button onClick={() => onChange("")}>Remove the logo</Button>}
      <p role="alert" className={failure === undefined ? "sr-only" : "text-sm text-danger"}>
        {failure}
      </p>
    </div>
  );
}

async function upload(file: File) {
  // The server would close the connection before it has told why.
  if (file.size > MAX_PICTURE_BYTES)
    throw new RangeError(`A logo may have at most ${MAX_PICTURE_BYTES / MEGABYTE} MB.`);
  return call({
    path: paths.merchant.pictures,
    method: "POST",
    type: "application/octet-stream",
    body: file,
    answer: pictureSchema,
  });
}
