/** The small picture of an item; an empty box of the same size where there is none. */
export function Thumbnail({ src }: { src: string | undefined }) {
  const look = "picture size-14 shrink-0 rounded-md print:hidden";
  if (src === undefined) return <span aria-hidden className={look} />;
  return (
    <img
      src={src}
      alt=""
      width={56}
      height={56}
      loading="lazy"
      onError={({ currentTarget }) => currentTarget.classList.add("invisible")}
      className={look}
    />
  );
}
