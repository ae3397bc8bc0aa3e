import { Button } from "@keepsats/ui/button.tsx";

interface ConflictProps {
  /** The stored values, such as `Price is now 45.00`. */
  readonly lines: readonly string[];
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

/** Shows fields that were changed concurrently. Nothing is saved until one version is chosen. */
export function Conflict({ lines, onKeep, onTake }: ConflictProps) {
  return (
    <>
      <p className="font-medium">Changed by someone else at the same time. Nothing is saved yet.</p>
      <ul className="text-ink">
        {lines.map((line) => (
          <li key={line} className="line-clamp-2">
            {line}
          </li>
        ))}
      </ul>
      <div className="mt-2 flex flex-wrap gap-2 text-ink">
        <Button onClick={onKeep}>Keep mine</Button>
        <Button onClick={onTake}>Take theirs</Button>
      </div>
    </>
  );
}
