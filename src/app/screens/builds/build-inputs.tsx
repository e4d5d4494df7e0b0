import type { ReactNode } from "react";
import type { Build } from "#api/gen/json-types.ts";
import { cutText, formatBytes } from "../../format.ts";
import { CodeLine } from "../../ui/code-line.tsx";
import { Facts } from "../settings/side-panel.tsx";
import { buildAgainCommand } from "./build-words.ts";

const CONTEXTS = new Map([
  ["local", "a local directory"],
  ["git", "a git repository"],
  ["http", "an address"],
  ["none", "none"],
]);
const MOST_SHOWN = 50;

/** A build's inputs, and a command that repeats it. */
export function BuildInputs({ build }: { build: Build }) {
  const { inputs } = build;
  const sent = Number(build.context_bytes);
  const labels = Object.entries(build.labels).filter(([key]) => key !== "title");
  const context = CONTEXTS.get(inputs?.context ?? "") ?? "unknown";
  const facts: [string, ReactNode][] = [
    ["Dockerfile", <Mono key="file" text={inputs?.dockerfile ?? ""} />],
    ["Target", <Mono key="target" text={inputs?.target ?? ""} otherwise="the last stage" />],
    ["Platforms", <Mono key="platforms" text={build.platforms.join(", ")} />],
    ["Arguments", <Pairs key="arguments" pairs={Object.entries(inputs?.arguments ?? {})} />],
    ["Context", sent > 0 ? `${context}; ${formatBytes(sent)} sent` : context],
    ...(Object.keys(inputs?.named_contexts ?? {}).length > 0
      ? [
          [
            "Further contexts",
            <Pairs key="named" pairs={Object.entries(inputs?.named_contexts ?? {})} />,
          ] as [string, ReactNode],
        ]
      : []),
    ["Frontend", <Mono key="frontend" text={inputs?.frontend ?? ""} />],
    ...(labels.length > 0 ? [["Labels", <Pairs key="labels" pairs={labels} />] as [string, ReactNode]] : []),
  ];
  return (
    <>
      <Facts facts={facts} />
      <div className="section">
        <h2>Run the same build</h2>
        <CodeLine command={buildAgainCommand(build)} />
      </div>
    </>
  );
}

function Mono({ text, otherwise = "unknown" }: { text: string; otherwise?: string }) {
  return text ? (
    <bdi className="mono">{cutText(text, 300)}</bdi>
  ) : (
    <span className="subtle">{otherwise}</span>
  );
}

function Pairs({ pairs }: { pairs: readonly [string, string][] }) {
  if (pairs.length === 0) return <span className="subtle">none</span>;
  return (
    <ul className="build-pairs mono">
      {pairs.slice(0, MOST_SHOWN).map(([name, value]) => (
        <li key={name}>
          <bdi>
            {cutText(name, 100)}={cutText(value, 200)}
          </bdi>
        </li>
      ))}
      {pairs.length > MOST_SHOWN && <li className="subtle">and {pairs.length - MOST_SHOWN} more</li>}
    </ul>
  );
}
