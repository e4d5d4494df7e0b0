/** An agent's session: the conversation on the left, its changes on the right. */
import { Icon } from "../../../ui/icon.tsx";
import { Drawn } from "../drawn.tsx";
import { Inline } from "../inline.tsx";
import type { ArtefactOf } from "../artefact-schema.ts";
import { Shot } from "./shot.tsx";

type SessionData = ArtefactOf<"session">;
type Turn = SessionData["turns"][number];

export function Session({ title, state, note, turns, changes }: SessionData) {
  return (
    <Shot title={title} state={state} note={note}>
      <div className="panes">
        <ol className="turns">
          {turns.map((turn, index) => (
            <TurnOf key={index} turn={turn} />
          ))}
        </ol>
        <div className="pane">
          {changes.map((change) => (
            <Drawn key={change.text} artefact={change} />
          ))}
        </div>
      </div>
    </Shot>
  );
}

function TurnOf({ turn }: { turn: Turn }) {
  return (
    <li className={turn.isPerson ? "turn is-person" : "turn"}>
      <p className="turn-who">
        <strong>{turn.who}</strong> {turn.time}
      </p>
      <p className="turn-text">
        <Inline text={turn.text} />
      </p>
      {turn.steps.length > 0 && (
        <ol className="agent">
          {turn.steps.map((step) => (
            <li key={step.text} className={step.isOk ? "a-tool is-ok" : "a-tool"}>
              <Icon name={step.icon} />
              <code>{step.text}</code>
              <span>{step.result}</span>
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}
