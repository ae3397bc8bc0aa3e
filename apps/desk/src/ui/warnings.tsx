/** What staff look at before they go on, one line each. */
export function Warnings({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div role="alert" className="mb-4 space-y-1 wrap-anywhere text-danger">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}
