import { classes } from "@keepsats/ui/classes.ts";
import { shareOf } from "./plot-scale.ts";

/** A bar of a plot. `part` is drawn before it in the accent colour. */
export interface Bar {
  readonly key: string;
  readonly value: number;
  readonly part: number;
}

interface BarPlotProps {
  /** What the plot shows, in words. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** The value at the top of the scale. */
  readonly top: number;
  readonly textOf: (value: number) => string;
  /** The key of the bar under the pointer. */
  readonly pointed: string | undefined;
  readonly onPoint: (key: string | undefined) => void;
}

/**
 * How wide a bar with its gap is, in units of the drawing, which is stretched to the width that
 * there is.
 */
const STEP = 10;
const WIDTH = 7;

/** Bars above one another's scale: small, drawn by hand, of a fixed height. */
export function BarPlot({ label, bars, top, textOf, pointed, onPoint }: BarPlotProps) {
  return (
    <div className="flex gap-2">
      <div
        aria-hidden
        className="money -my-2.5 flex w-12 shrink-0 flex-col justify-between text-right text-sm text-ink-soft"
      >
        <span>{textOf(top)}</span>
        <span>{textOf(top / 2)}</span>
        <span>{textOf(0)}</span>
      </div>
      <div className="relative h-32 min-w-0 grow">
        <div aria-hidden className="absolute inset-0 flex flex-col">
          <div className="grow border-t border-line" />
          <div className="grow border-y border-t-line border-b-line-strong" />
        </div>
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${bars.length * STEP} 100`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
          onPointerLeave={({ pointerType }) => {
            // A finger that is lifted leaves too: what it has pointed at stays.
            if (pointerType === "mouse") onPoint(undefined);
          }}
        >
          {bars.map(({ key, value, part }, at) => (
            <g key={key} onPointerEnter={() => onPoint(key)}>
              <rect
                x={at * STEP}
                width={STEP}
                height={100}
                className={classes("fill-ink", key === pointed ? "opacity-10" : "opacity-0")}
              />
              <Column at={at} share={shareOf(value, top)} className="fill-line-strong" />
              <Column at={at} share={shareOf(part, top)} className="fill-accent-edge" />
            </g>
          ))}
        </svg>
      </div>
    </div>
  );
}

function Column({ at, share, className }: { at: number; share: number; className: string }) {
  if (share === 0) return null;
  return (
    <rect
      x={at * STEP + (STEP - WIDTH) / 2}
      y={100 - share}
      width={WIDTH}
      height={share}
      className={className}
    />
  );
}
