/** The tags of a project, and the layers of one image: layers shared with other tags, and new layers. */
import type { ArtefactOf } from "../artefact-schema.ts";
import { Legend, Shot } from "./shot.tsx";

type ImageData = ArtefactOf<"image">;

export function ImageDetail({ title, state, note, tags, detail, keys }: ImageData) {
  return (
    <Shot title={title} state={state} note={note}>
      <div className="panes">
        <table className="rows">
          <caption className="vh">Tags of {title}</caption>
          <thead>
            <tr>
              <th scope="col">Tags</th>
              <th scope="col" className="rows-wide">
                Platforms
              </th>
              <th scope="col" className="rows-wide rows-n">
                Size
              </th>
              <th scope="col">New layers</th>
              <th scope="col">Pushed</th>
            </tr>
          </thead>
          <tbody>
            {tags.map((row, index) => (
              <tr key={row.names.join()} className={index === 0 ? "is-current" : undefined}>
                <th scope="row">
                  {row.names.map((name) => (
                    <code key={name} className="chip">
                      {name}
                    </code>
                  ))}
                </th>
                <td className="rows-wide">{row.platforms}</td>
                <td className="rows-wide rows-n">{row.size}</td>
                <td className="rows-n">
                  <Share percent={100 - row.fresh} /> {row.fresh} %
                </td>
                <td className="rows-n">{row.pushed}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <Detail detail={detail} />
      </div>
      <Legend keys={keys} />
    </Shot>
  );
}

function Detail({ detail }: { detail: ImageData["detail"] }) {
  const largest = Math.max(...detail.layers.map(({ megabytes }) => megabytes));
  return (
    <div className="pane">
      <dl className="pairs">
        {detail.facts.map((fact) => (
          <div key={fact.term}>
            <dt>{fact.term}</dt>
            <dd>{fact.text}</dd>
          </div>
        ))}
      </dl>
      <ul className="image-layers" aria-label="Layers, amd64">
        {detail.layers.map((layer) => (
          <li key={layer.line}>
            <code>{layer.line}</code>
            <span className="share">
              <i
                className={layer.isNew ? "is-work" : undefined}
                style={{ width: `${Math.max(2, (layer.megabytes / largest) * 100)}%` }}
              />
            </span>
            <span className="rows-n">
              {layer.megabytes} MB{layer.isNew && <span className="vh">, new</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Water stands for existing layers, brass for new ones. */
export function Share({ percent }: { percent: number }) {
  return (
    <span className="share is-full" aria-hidden="true">
      <i style={{ width: `${percent}%` }} />
    </span>
  );
}
