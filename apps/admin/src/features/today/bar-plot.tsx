import { type Cents, shopCurrency } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";

/** `part` is drawn in front of the bar in the accent colour. */
export interface Bar {
  readonly key: string;
  readonly value: number;
  readonly part: number;
}

interface BarPlotProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** The value at the top of the scale. */
  readonly top: number;
  readonly textOf: (value: number) => string;
  readonly pointed: string | undefined;
  readonly onPoint: (key: string | undefined) => void;
}

/**
 * The width of a bar with its gap, in the units of the drawing, which is stretched to its place.
 */
const STEP = 10;
const WIDTH = 7;
/** Small, because browsers cannot draw coordinates as large as amounts in cents. */
const HEIGHT = 100;

export function BarPlot({ label, bars, top, textOf, pointed, onPoint }: BarPlotProps) {
  const column = (at: number, value: number, className: string) => {
    const height = (value / top) * HEIGHT;
    const x = at * STEP + (STEP - WIDTH) / 2;
    return <rect x={x} width={WIDTH} y={HEIGHT - height} height={height} className={className} />;
  };
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
          viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
          onPointerLeave={({ pointerType }) => {
            // A lifted finger leaves the plot too. Its bar stays highlighted.
            if (pointerType === "mouse") onPoint(undefined);
          }}
        >
          {bars.map(({ key, value, part }, at) => (
            <g key={key} onPointerEnter={() => onPoint(key)}>
              <rect
                x={at * STEP}
                width={STEP}
                height={HEIGHT}
                className={classes("fill-ink", key === pointed ? "opacity-10" : "opacity-0")}
              />
              {column(at, value, "fill-line-strong")}
              {column(at, part, "fill-accent-edge")}
            </g>
          ))}
        </svg>
      </div>
    </div>
  );
}

/** The first digits of the highest value of a scale. */
const firstDigits = [1, 2, 3, 4, 5, 6, 8, 10];
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** The top of a scale, a round even number at or above `highest`: 0 → 2, 9 → 10, 41 → 50. */
export function topOf(highest: number): number {
  let power = 1;
  while (highest > 10 * power) power *= 10;
  const tops = firstDigits.map((digits) => digits * power);
  return tops.find((top) => top >= highest && top % 2 === 0) ?? 10 * power;
}

/** Like {@link topOf}, for amounts: the top and half of it are whole dollars. */
export function topOfMoney(highest: Cents): Cents {
  return topOf(highest / 100) * 100;
}

/** 1500 → `1.5K`. */
export function scaleText(value: number): string {
  return compact.format(value);
}

/** 150000 → `$1.5K`. */
export function scaleMoneyText(cents: Cents): string {
  return `${shopCurrency.symbol}${scaleText(cents / 100)}`;
}
