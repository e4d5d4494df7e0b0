/** Bars in channels: jobs over time. */
import { formatSeconds } from "../race.tsx";
import type { ArtefactOf } from "../artefact-schema.ts";
import { Note } from "./note.tsx";

export function Jobs({ jobs, label, note }: ArtefactOf<"jobs">) {
  const end = Math.max(...jobs.map(({ start, seconds }) => start + seconds));
  const percent = (seconds: number) => `${(seconds / end) * 100}%`;
  return (
    <>
      <ul className="jobs" aria-label={label}>
        {jobs.map((job) => (
          <li key={job.name}>
            <span>{job.name}</span>
            <span className="bar-ch">
              <i
                className={job.isWork ? "is-work" : undefined}
                style={{ left: percent(job.start), width: percent(job.seconds) }}
              />
            </span>
            <span className="bar-v">{formatSeconds(job.seconds)}</span>
          </li>
        ))}
      </ul>
      <Note text={note} />
    </>
  );
}
