import type { ArtefactOf } from "../artefact-schema.ts";
import { Legend, Shot } from "./shot.tsx";

/** One cell is one CPU; a job spans the cells that it uses. */
export function Machines({ title, state, note, rows, keys }: ArtefactOf<"machines">) {
  return (
    <Shot title={title} state={state} note={note}>
      <ul className="machines">
        {rows.map((row) => (
          <li key={row.name}>
            <p>
              <code>{row.name}</code>
              <span>{row.text}</span>
            </p>
            <ul>
              {row.cells.map((cell) => (
                <li key={cell.text} className={`cpu is-${cell.kind}`} style={{ flexGrow: cell.cpus }}>
                  {cell.text}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <Legend keys={keys} />
    </Shot>
  );
}
