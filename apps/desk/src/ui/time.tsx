const format = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** A time in the place of whoever reads it. @param at in milliseconds since 1970 */
export function Time({ at, className }: { at: number; className?: string }) {
  return (
    <time dateTime={new Date(at).toISOString()} className={className}>
      {format.format(at)}
    </time>
  );
}
