import { srcSetOf, thumbnailSizes } from "@keepsats/domain";
import type { ComponentProps } from "react";

interface PictureProps extends ComponentProps<"img"> {
  readonly src: string | undefined;
  /** The attribute `sizes`. */
  readonly sizes: string;
  readonly className: string;
}

/** A picture of an item, in the best size that the shop stores. Hidden if it does not load. */
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

/** The small picture of an item, or an empty box of the same size. */
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
