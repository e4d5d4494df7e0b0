/** The cache's requests of each day, and the tools that sent them. */
import { BrandMark } from "../marks.tsx";
import type { ArtefactOf } from "../artefact-schema.ts";
import { Share } from "./image-detail.tsx";
import { Legend, Shot } from "./shot.tsx";

type CacheDaysData = ArtefactOf<"cacheDays">;

const grouped = new Intl.NumberFormat("en");

export function CacheDays({ title, state, note, label, days, tools, keys }: CacheDaysData) {
  return (
    <Shot title={title} state={state} note={note}>
      <Chart days={days} label={label} />
      <Legend keys={keys} />
      <table className="rows">
        <caption className="vh">Connected tools</caption>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Hit rate</th>
            <th scope="col" className="rows-wide rows-n">
              Hits
            </th>
            <th scope="col" className="rows-wide rows-n">
              Misses
            </th>
            <th scope="col" className="rows-n">
              Stored
            </th>
          </tr>
        </thead>
        <tbody>
          {tools.map(({ tool, brand, hits, misses, stored }) => {
            const percent = (hits / (hits + misses)) * 100;
            return (
              <tr key={tool}>
                <th scope="row">
                  <span className="rows-tool">
                    <BrandMark brand={brand} />
                    {tool}
                  </span>
                </th>
                <td className="rows-share">
                  <Share percent={percent} /> {percent.toFixed(1)} %
                </td>
                <td className="rows-wide rows-n">{grouped.format(hits)}</td>
                <td className="rows-wide rows-n">{grouped.format(misses)}</td>
                <td className="rows-n">{stored}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Shot>
  );
}

/** Hits are stacked on misses; there is one line for each round number of requests. */
function Chart({ days, label }: { days: CacheDaysData["days"]; label: string }) {
  const top = Math.max(...days.map(({ hits, misses }) => hits + misses)) * 1.08;
  const height = (count: number) => `${Math.round((count / top) * 1000) / 10}%`;
  const step = top > 30_000 ? 20_000 : 10_000;
  const lines = Array.from({ length: Math.floor(top / step) }, (_, index) => (index + 1) * step);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing of HTML parts, read out as one sentence
    <div className="days" role="img" aria-label={label}>
      <div className="days-plot">
        {lines.map((count) => (
          <span key={count} className="days-line" style={{ bottom: height(count) }}>
            {count / 1000}k
          </span>
        ))}
        {days.map((day) => (
          <span key={day.day} className="day">
            <i style={{ height: height(day.hits) }} />
            <i className="is-work" style={{ height: height(day.misses) }} />
          </span>
        ))}
      </div>
      <div className="days-axis">
        {days.map((day) => (
          <span key={day.day}>{day.day}</span>
        ))}
      </div>
    </div>
  );
}
