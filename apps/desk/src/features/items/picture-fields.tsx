import { pictureAddressSchema } from "@keepsats/protocol";
import { Button, IconButton } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { useMutation } from "@tanstack/react-query";
import { ArrowLeft, X } from "lucide-react";
import { type ClipboardEvent, type DragEvent, useId, useState } from "react";
import { failureText } from "../../lib/api.ts";
import { Input } from "../../ui/input.tsx";
import { uploadPicture } from "./items-queries.ts";
import { ShopPicture } from "./shop-picture.tsx";

interface PictureFieldsProps {
  readonly pictures: readonly string[];
  readonly error: string | undefined;
  /** Takes the change as a function, because an upload ends later. */
  readonly onChange: (change: (pictures: readonly string[]) => readonly string[]) => void;
}

/** The pictures of an item: dropped, pasted, picked, or named by address. The first is the one of the card. */
export function PictureFields({ pictures, error, onChange }: PictureFieldsProps) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const {
    mutate,
    isPending,
    error: failure,
    variables,
  } = useMutation({
    async mutationFn(files: readonly File[]) {
      // One after the other: the shop prepares few at a time.
      for (const file of files) {
        const { url } = await uploadPicture(file);
        onChange((now) => [...now, url]);
      }
    },
  });

  function add(files: Iterable<File> | null | undefined): void {
    const chosen = [...(files ?? [])];
    if (chosen.length > 0 && !isPending) mutate(chosen);
  }
  function drop(event: DragEvent): void {
    event.preventDefault();
    setIsOver(false);
    add(event.dataTransfer.files);
  }
  function paste(event: ClipboardEvent): void {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    add(event.clipboardData.files);
  }

  return (
    <fieldset
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      onPaste={paste}
      className={classes(
        "rounded-md border border-dashed p-4",
        isOver ? "border-ink bg-sunken" : "border-line-strong",
      )}
    >
      <legend className="px-1 text-sm font-medium">Pictures</legend>
      {pictures.length > 0 && (
        <ul className="mb-4 flex flex-wrap gap-3">
          {pictures.map((url, place) => (
            <li key={url} className="w-24">
              <ShopPicture url={url} className="size-24" />
              <span className="flex justify-center">
                {place > 0 && (
                  <IconButton
                    label={`Picture ${place + 1} to the front`}
                    onClick={() => onChange((now) => [url, ...now.filter((one) => one !== url)])}
                  >
                    <ArrowLeft aria-hidden size={18} />
                  </IconButton>
                )}
                <IconButton
                  label={`Remove picture ${place + 1}`}
                  onClick={() => onChange((now) => now.filter((one) => one !== url))}
                >
                  <X aria-hidden size={18} />
                </IconButton>
              </span>
            </li>
          ))}
        </ul>
      )}
      <label htmlFor={id} className="block text-sm">
        Drop or paste pictures here, or pick them:
      </label>
      <input
        id={id}
        type="file"
        multiple
        accept="image/png,image/jpeg,image/webp,image/avif,image/gif"
        disabled={isPending}
        onChange={({ target }) => {
          add(target.files);
          target.value = "";
        }}
        className="my-2 block w-full text-sm file:mr-3 file:min-h-11 file:rounded-md file:border file:border-line-strong file:bg-raised file:px-4 file:text-ink"
      />
      <AddressField onAdd={(url) => onChange((now) => [...now, url])} />
      <p role="status" className="text-sm text-ink-soft">
        {isPending && `Uploading ${variables.length === 1 ? "the picture" : `${variables.length} pictures`}…`}
      </p>
      {(failure !== null || error !== undefined) && (
        <p role="alert" className="text-sm text-danger">
          {failure === null ? error : failureText(failure)}
        </p>
      )}
    </fieldset>
  );
}

/** Adds a picture that is on the web or in the shop already. */
function AddressField({ onAdd }: { onAdd: (url: string) => void }) {
  const [typed, setTyped] = useState("");
  const read = pictureAddressSchema.safeParse(typed.trim());
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Input
        label="Or the address of one"
        value={typed}
        placeholder="/pictures/mug.svg"
        onChange={({ target }) => setTyped(target.value)}
        className="grow"
      />
      <Button
        disabled={!read.success}
        onClick={() => {
          if (read.success) onAdd(read.data);
          setTyped("");
        }}
      >
        Add
      </Button>
    </div>
  );
}
