import type { Capability, Machine } from "#api/gen/json-types.ts";
import { cutText } from "../../format.ts";
import { CodeLine } from "../../ui/code-line.tsx";
import { type State, Status } from "../../ui/status.tsx";
import { Ask } from "./ask.tsx";

const LOOKS: { [state: string]: { state: State; word: string; tone: string } } = {
  ready: { state: "succeeded", word: "Ready", tone: "subtle" },
  limited: { state: "waiting", word: "Limited", tone: "text-work" },
  missing: { state: "failed", word: "Missing", tone: "text-fail" },
};
/** Capabilities that need attention come first. */
const ORDER = ["missing", "limited", "ready"];

interface Props {
  capabilities: readonly Capability[];
  machines: readonly Machine[];
}

export function Capabilities({ capabilities, machines }: Props) {
  const ready = capabilities.filter(({ state }) => state === "ready").length;
  const sorted = capabilities.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
  const isOne = machines.length < 2;
  return (
    <section className="section" aria-label="What can run here">
      <div className="section-header">
        <h2>What can run here</h2>
        <span className="text-xs subtle">
          {ready} of {capabilities.length} ready
          {ready < capabilities.length && ". A line is ticked off when its command succeeds."}
        </span>
      </div>
      <div className="panel">
        {sorted.map((capability) => (
          <Line
            key={`${capability.machine} ${capability.name}`}
            capability={capability}
            where={isOne ? "" : capability.machine}
          />
        ))}
      </div>
    </section>
  );
}

function Line({
  capability: { name, state, lost, command },
  where,
}: {
  capability: Capability;
  where: string;
}) {
  const look = LOOKS[state] ?? { state: "waiting", word: state, tone: "subtle" };
  return (
    <div className="capability">
      <Status state={look.state} word={look.word} isShape />
      <div>
        <b>{name}</b> <span className={`text-xs ${look.tone}`}>{look.word}</span>
        {where && <span className="tag">{cutText(where, 40)}</span>}
        {lost && <p>{lost}</p>}
      </div>
      <div>{command ? <CodeLine command={command} /> : state === "missing" && <Ask />}</div>
    </div>
  );
}
