import { srcSetOf, thumbnailSizes } from "@keepsats/domain";
import type { ComponentProps } from "react";

interface PictureProps extends ComponentProps<"img"> {
  readonly src: string | undefined;
  /** How wide its place is. */
  readonly sizes: string;
  readonly className: string;
}

/**
 * A picture of an item, in the size that its place needs if the shop keeps it in several. One that
 * does not load is not shown.
 */
export function Picture(props: PictureProps) {
  return (
    <img
      alt=""
      {...props}
      srcSet={props.src && srcSetOf(props.src)}
      onError={({ currentTarget }) => currentTarget.classList.add("invisible")}
      className={`picture ${props.className}`}
    />
  );
}

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
