import { useQuery } from "@tanstack/react-query";
import type { CacheEntry } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { formatBytes } from "../../format.ts";
import { Ago } from "../../ui/ago.tsx";
import { Failure } from "../../ui/failure.tsx";
import { ReaderText } from "../../ui/reader-text.tsx";
import { TableFrame } from "../../ui/table/table-frame.tsx";
import { largeEntriesQuery } from "./cache-queries.ts";
import { nameOfTool } from "./tools.ts";
import { ToolMark } from "./tool-mark.tsx";

const SHOWN = 5;

/** Keys are the tools' own words: anyone with write access chooses them. */
export function LargestEntries() {
  const { name } = useOrganization();
  const { data: entries, error, refetch } = useQuery(largeEntriesQuery(name));
  return (
    <section className="section">
      <div className="section-header">
        <h2>Largest entries</h2>
        <span className="text-xs subtle">at most 2 GB each</span>
      </div>
      {!entries ? (
        error && <Failure what="The largest entries" error={error} onRetry={() => void refetch()} />
      ) : entries.length === 0 ? (
        <p className="panel arrivals-none text-xs subtle">
          No entry has reached 1 MB. Larger entries appear here.
        </p>
      ) : (
        <TableFrame name="Largest entries">
          <thead>
            <tr>
              <th scope="col" className="main-column">
                Entry
              </th>
              <th scope="col">Tool</th>
              <th scope="col" className="align-right">
                Size
              </th>
              <th scope="col" className="align-right">
                Last read
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.slice(0, SHOWN).map((entry) => (
              <Row key={`${entry.tool} ${entry.key}`} entry={entry} />
            ))}
          </tbody>
        </TableFrame>
      )}
    </section>
  );
}

function Row({ entry: { tool, key, size_bytes, used_at, writer } }: { entry: CacheEntry }) {
  return (
    <tr>
      <th scope="row" className="main-column">
        <span className="clip mono" title={writer && `Written by ${writer}`}>
          <ReaderText text={key} length={72} />
        </span>
      </th>
      <td>
        <span className="row muted">
          <ToolMark tool={tool} />
          {nameOfTool(tool)}
        </span>
      </td>
      <td className="align-right narrow-right">
        <span className="number">{formatBytes(Number(size_bytes))}</span>
      </td>
      <td className="align-right">
        <Ago at={used_at} />
      </td>
    </tr>
  );
}
