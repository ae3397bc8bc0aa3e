import { arrayMove } from "@dnd-kit/sortable";
import { pictureAddressSchema } from "@keepsats/protocol";
import { Button, IconButton } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { Input } from "@keepsats/ui/input.tsx";
import { ArrowLeft, X } from "lucide-react";
import { useState } from "react";
import { counted } from "../../../lib/format.ts";
import { PICTURE_TYPES } from "../../../lib/pictures.ts";
import { ItemPicture } from "../../../ui/item-picture.tsx";
import { Sortable, useSorted } from "../sortable.tsx";
import type { Uploads } from "./use-uploads.ts";

interface PictureFieldsProps {
  readonly pictures: readonly string[];
  readonly uploads: Uploads;
  readonly error: string | undefined;
  readonly onChange: (pictures: readonly string[]) => void;
}

/** The sortable pictures of an item: uploaded or on the web. The card shows the first one. */
export function PictureFields({ pictures, uploads, error, onChange }: PictureFieldsProps) {
  return (
    <fieldset className="rounded-md border border-dashed border-line-strong p-4">
      <legend className="px-1 text-sm font-medium">Pictures</legend>
      {pictures.length > 0 && (
        <Sortable
          ids={pictures}
          onMove={(url, to) => onChange(arrayMove([...pictures], pictures.indexOf(url), to))}
        >
          <ul className="mb-4 flex flex-wrap gap-3">
            {pictures.map((url, index) => (
              <Picture
                key={url}
                url={url}
                index={index}
                onFront={() => onChange(arrayMove([...pictures], index, 0))}
                onRemove={() => onChange(pictures.filter((picture) => picture !== url))}
              />
            ))}
          </ul>
        </Sortable>
      )}
      <Input
        label="Drop or paste pictures here, or pick them:"
        type="file"
        multiple
        accept={PICTURE_TYPES}
        onChange={({ target }) => {
          uploads.add(target.files ?? []);
          target.value = "";
        }}
      />
      <AddressField onAdd={(url) => onChange([...pictures, url])} />
      <p role="status" className="text-sm text-ink-soft">
        {uploads.waiting > 0 && `Uploading ${counted(uploads.waiting, "picture")}…`}
      </p>
      <div role="alert" className="text-sm text-danger">
        {uploads.failures.map((failure) => (
          <p key={failure} className="wrap-anywhere">
            {failure}
          </p>
        ))}
        {error !== undefined && <p>{error}</p>}
      </div>
    </fieldset>
  );
}

interface PictureProps {
  readonly url: string;
  readonly index: number;
  readonly onFront: () => void;
  readonly onRemove: () => void;
}

function Picture({ url, index, onFront, onRemove }: PictureProps) {
  const { element, handle, isDragging } = useSorted(url);
  return (
    <li {...element} className={classes("w-24", isDragging && "relative z-10")}>
      <div {...handle} className="cursor-grab touch-none">
        <ItemPicture url={url} className="size-24" />
      </div>
      <span className="flex justify-center">
        {index > 0 && (
          <IconButton label={`Picture ${index + 1} to the front`} onClick={onFront}>
            <ArrowLeft aria-hidden size={18} />
          </IconButton>
        )}
        <IconButton label={`Remove picture ${index + 1}`} onClick={onRemove}>
          <X aria-hidden size={18} />
        </IconButton>
      </span>
    </li>
  );
}

function AddressField({ onAdd }: { onAdd: (url: string) => void }) {
  const [typed, setTyped] = useState("");
  const address = pictureAddressSchema.safeParse(typed.trim());
  return (
    <details>
      <summary className="inline-flex min-h-11 items-center text-sm underline underline-offset-4">
        Use a picture that is on the web
      </summary>
      <div className="flex flex-wrap items-end gap-2 pb-2">
        <Input
          label="Address of the picture"
          value={typed}
          placeholder="https://"
          onChange={({ target }) => setTyped(target.value)}
          className="grow"
        />
        <Button
          disabled={!address.success}
          onClick={() => {
            if (address.success) onAdd(address.data);
            setTyped("");
          }}
        >
          Add
        </Button>
      </div>
    </details>
  );
}
