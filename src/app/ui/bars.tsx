export interface Bar {
  /** Under the bar: "07", "9 Nov". */
  label: string;
  /** Stacked, lowest first; one value for each series. */
  values: readonly number[];
}

interface Props {
  /** What the chart shows: "API calls, by day". */
  label: string;
  series: readonly { label: string; tone: "cached" | "work" | "fail" | "plain" }[];
  bars: readonly Bar[];
  format: (value: number) => string;
}

/** Bars on a zero line; the figures in a tip that arrow keys move, and as a table. */
export function Bars({ label, series, bars, format }: Props) {
  return (
    <table className="tb">
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          {series.map((each) => (
            <th scope="col" key={each.label}>
              {each.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.label}>
            <th scope="row">{bar.label}</th>
            {bar.values.map((value, index) => (
              <td key={series[index]?.label}>{format(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
