import { thumbnailSizes } from "@keepsats/domain";
import { Picture } from "./picture.tsx";

/** The small picture of an item; an empty box of the same size where there is none. */
export function Thumbnail({ src }: { src: string | undefined }) {
  const look = "size-14 shrink-0 rounded-md print:hidden";
  if (src === undefined) return <span aria-hidden className={`picture ${look}`} />;
  return (
    <Picture
      src={src}
      sizes={thumbnailSizes}
      width={56}
      height={56}
      loading="lazy"
      className={look}
    />
  );
}
