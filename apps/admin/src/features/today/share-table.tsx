interface ShareTableProps {
  readonly caption: string;
  readonly unit: string;
  readonly rows: readonly { readonly label: string; readonly orders: number }[];
}

/** A table of numbers with a bar for each. Rows with 0 are left out. */
export function ShareTable({ caption, unit, rows }: ShareTableProps) {
  const shown = rows.filter(({ orders }) => orders > 0);
  const highest = Math.max(0, ...rows.map(({ orders }) => orders));
  if (shown.length === 0) return null;
  return (
    <table className="w-full text-left">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col">{unit}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {shown.map(({ label, orders }) => (
          <tr key={label}>
            <th scope="row" className="w-1/2 py-1.5 pr-4 font-normal">
              {label}
            </th>
            <td className="money w-px py-1.5 pr-3 text-right">{orders.toLocaleString("en")}</td>
            <td className="py-1.5">
              <svg aria-hidden className="block h-2 w-full">
                <rect
                  width={`${(100 * orders) / highest}%`}
                  height="100%"
                  className="fill-line-strong"
                />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
