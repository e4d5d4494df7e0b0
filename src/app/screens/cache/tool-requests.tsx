/** Requests at one tool's address while the page is open: answered ones as counts, and refused ones. */
import { useQueryClient } from "@tanstack/react-query";
import { type UIEvent, useEffect, useRef, useState } from "react";
import type { CacheCount, CacheNamespace } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { formatBytes, formatClockSeconds, plural } from "../../format.ts";
import { Icon } from "../../ui/icon.tsx";
import { LiveMark } from "../../ui/live-mark.tsx";
import { type Use, newBetween } from "./cache-figures.ts";
import { cacheMissesQuery, cacheWritersQuery } from "./cache-queries.ts";
import { adviceFor, type Refusal, refusalsOf } from "./refusals.ts";
import type { CacheTool } from "./tools.ts";

interface Served {
  id: string;
  /** RFC 3339. */
  at: string;
  use: Use;
}

export type RequestLine = Served | Refusal;

const MAX_LINES = 20;
const NO_COUNTS: readonly CacheCount[] = [];

/** The newest last. */
export function useRequestLines(
  tool: CacheTool,
  { namespace, refusals }: { namespace: CacheNamespace | undefined; refusals: readonly Refusal[] },
): readonly RequestLine[] {
  const [served, setServed] = useState<readonly Served[]>([]);
  const client = useQueryClient();
  const { name: organization } = useOrganization();
  const counts = namespace?.counts ?? NO_COUNTS;
  const at = namespace?.last_request_at ?? "";
  const before = useRef(counts);
  const number = useRef(0);
  useEffect(() => {
    const use = newBetween(before.current, counts);
    before.current = counts;
    if (!use) return;
    number.current += 1;
    const line = { id: `served ${number.current}`, at, use };
    setServed((lines) => [...lines, line].slice(-MAX_LINES));
    const readAgain = ({ queryKey }: { queryKey: readonly string[] }) =>
      void client.invalidateQueries({ queryKey });
    if (use.writtenBytes > 0) readAgain(cacheWritersQuery(organization, tool.id));
    if (use.misses > 0) readAgain(cacheMissesQuery(organization, tool.id));
  }, [counts, at, client, organization, tool.id]);
  return [...served, ...refusalsOf(refusals, tool)]
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .slice(-MAX_LINES);
}

const isRefusal = (line: RequestLine | undefined): line is Refusal => line !== undefined && "status" in line;

interface Props {
  tool: CacheTool;
  lines: readonly RequestLine[];
}

/** The newest last, and kept in view until the reader scrolls up. */
export function ToolRequests({ tool: { name }, lines }: Props) {
  const log = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (log.current && isAtEnd.current) log.current.scrollTop = log.current.scrollHeight;
  });
  const noteScroll = ({ currentTarget: box }: UIEvent<HTMLElement>) => {
    isAtEnd.current = box.scrollTop + box.clientHeight >= box.scrollHeight - 4;
  };
  return (
    <section className="panel cache-requests" aria-label={`Requests from ${name}`}>
      <div className="panel-header">
        <h2>Requests from {name}</h2>
        <span className="end">
          <LiveMark />
        </span>
      </div>
      <div
        ref={log}
        role="log"
        aria-live="polite"
        aria-label="Latest requests"
        onScroll={noteScroll}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
        tabIndex={0}
      >
        {lines.length === 0 ? (
          <p className="arrivals-none text-xs subtle">
            Nothing yet. Requests appear here, and refused requests with what to do about them.
          </p>
        ) : (
          <ol className="arrivals">
            {lines.map((line) => (
              <li key={line.id}>
                <time dateTime={line.at}>{formatClockSeconds(Date.parse(line.at))}</time>
                {isRefusal(line) ? <RefusedLine line={line} /> : <ServedLine use={line.use} />}
              </li>
            ))}
          </ol>
        )}
      </div>
      <RequestAdvice lines={lines} />
    </section>
  );
}

function RefusedLine({ line: { status, endpoint, text } }: { line: Refusal }) {
  return (
    <span>
      <span className="text-fail">
        {status} <span className="vh">refused</span>
      </span>{" "}
      {endpoint} <bdi className="subtle">{text}</bdi>
    </span>
  );
}

function ServedLine({ use: { hits, misses, readBytes, writtenBytes } }: { use: Use }) {
  const parts = [
    hits > 0 && plural(hits, "hit"),
    misses > 0 && plural(misses, "miss"),
    readBytes > 0 && `${formatBytes(readBytes)} served`,
    writtenBytes > 0 && `${formatBytes(writtenBytes)} stored`,
  ].filter((part) => part !== false);
  return <span className={hits > 0 ? "text-cached" : "text-work"}>{parts.join(", ")}</span>;
}

/** Advice for the last line, when it is a refusal. */
function RequestAdvice({ lines }: Pick<Props, "lines">) {
  const last = lines.at(-1);
  const advice = isRefusal(last) ? adviceFor(last) : undefined;
  if (!advice) return null;
  return (
    <output className="note warn">
      <Icon name="triangleAlert" />
      <span>
        <b>{advice.title}</b> {advice.text}
      </span>
    </output>
  );
}
