/** Bars in channels: jobs over time, and shares of hits. */
import { BrandMark } from "../marks.tsx";
import type { ArtefactOf } from "../schema.ts";
import { Note } from "./note.tsx";

export function Jobs({ jobs, label, note }: ArtefactOf<"jobs">) {
  return (
    <>
      <ul className="jobs" aria-label={label}>
        {jobs.map((job) => (
          <li key={job.name}>
            <span>{job.name}</span>
            <span className="bar-ch">
              <i
                className={job.isWork ? "is-work" : undefined}
                style={{ left: `${job.from}%`, width: `${job.to - job.from}%` }}
              />
            </span>
          </li>
        ))}
      </ul>
      <Note text={note} />
    </>
  );
}

export function CacheReport({ rows, note }: ArtefactOf<"cacheReport">) {
  return (
    <>
      <ul className="tools">
        {rows.map(({ tool, brand, hits, misses }) => (
          <li key={tool}>
            <BrandMark brand={brand} />
            <span>{tool}</span>
            <span className="bar-ch">
              <i style={{ left: 0, width: `${(hits / (hits + misses)) * 100}%` }} />
            </span>
            <span className="tool-v">
              {hits} <span className="vh">hits</span> / {misses} <span className="vh">misses</span>
            </span>
          </li>
        ))}
      </ul>
      <Note text={note} />
    </>
  );
}
