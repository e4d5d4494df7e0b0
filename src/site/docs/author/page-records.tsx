import type { PageRecord } from "#docs/author/types.ts";
import { Count, countOf } from "./page-checks.tsx";

/** The page's records in the index, in order. */
export function PageRecords({ records, count }: { records: readonly PageRecord[]; count: number }) {
  return (
    <section aria-labelledby="author-records">
      <h3 id="author-records">
        Records <Count isGood={count > 0}>{countOf(count, "record")}</Count>
      </h3>
      <p>{describeTypes(records)}</p>
      <details>
        <summary>Every record</summary>
        <ol className="author-records" start={0}>
          {records.map(({ type, anchor, hierarchy, content, position }) => (
            <li key={position} value={position}>
              <b>{type}</b> {hierarchy.join(" › ")} {anchor !== "null" && <code>#{anchor}</code>}
              {content !== null && <p>{content}</p>}
            </li>
          ))}
        </ol>
      </details>
      {records.length < count && <p>{`The first ${records.length} are shown.`}</p>}
    </section>
  );
}

function describeTypes(records: readonly PageRecord[]): string {
  const counts = new Map<string, number>();
  for (const { type } of records) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${count} ${type}`).join(", ");
}
