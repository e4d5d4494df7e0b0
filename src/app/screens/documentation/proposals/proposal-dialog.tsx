import { type RefObject, useId, useRef, useState } from "react";
import type { Proposal, ProposalRow, SearchAction, SearchActionResult } from "#telemetry/index.ts";
import { CallError } from "../../../data/call.ts";
import { cutText, formatCount } from "../../../format.ts";
import { CopyIconButton } from "../../../ui/copy-icon-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ActionResult, ResultFooter } from "../action-result.tsx";
import { sendAction } from "../report.ts";
import { actionOf, commandFor, describeProposal } from "./describe-proposal.ts";
import { EffectView } from "./effect-view.tsx";
import { useEffectOf } from "./use-effect-of.ts";
import "../../../styles/frame/proposals.css";

interface Props {
  row: ProposalRow;
  onClose: () => void;
}

const TITLE = "Review the proposal";

/** The choice of a proposal, its effect on past searches, and the change itself. */
export function ProposalDialog({ row, onClose }: Props) {
  const [place, setPlace] = useState(0);
  const chosen = row.proposals[place] ?? row.proposals[0];
  const effect = useEffectOf();
  const { result, error, isBusy, accept } = useAccept();
  const first = useRef<HTMLInputElement>(null);
  if (result)
    return (
      <Dialog title={TITLE} onClose={onClose} isWide footer={<ResultFooter {...{ result, onClose }} />}>
        <ActionResult result={result} />
      </Dialog>
    );
  const action = chosen && actionOf(chosen);
  const footer = <ReviewFooter {...{ action: action ?? null, effect, isBusy, accept, onClose }} />;
  const problem = error || effect.error;
  return (
    <Dialog title={TITLE} onClose={onClose} initialFocus={first} isWide footer={footer}>
      <div className="section">
        <About row={row} />
        <Choices
          proposals={row.proposals}
          place={place}
          first={first}
          onChoose={(chosenPlace) => {
            effect.reset();
            setPlace(chosenPlace);
          }}
        />
        {chosen?.kind === "page" && <PageToWrite title={chosen.title} />}
        {problem && (
          <p className="text-xs text-fail" role="alert">
            {problem}
          </p>
        )}
        <output className="text-xs">{effect.isBusy ? "Making past searches again..." : ""}</output>
        {effect.effect && <EffectView effect={effect.effect} />}
      </div>
    </Dialog>
  );
}

interface FooterProps {
  /** Null: nothing can be tried or accepted. */
  action: SearchAction | null;
  effect: ReturnType<typeof useEffectOf>;
  isBusy: boolean;
  accept: (action: SearchAction) => Promise<void>;
  onClose: () => void;
}

function ReviewFooter({ action, effect, isBusy, accept, onClose }: FooterProps) {
  const close = (
    <button className="btn" type="button" onClick={onClose}>
      Close
    </button>
  );
  if (!action) return close;
  return (
    <>
      {close}
      {effect.isBusy ? (
        <button className="btn" type="button" onClick={effect.cancel}>
          Cancel the search
        </button>
      ) : (
        <button className="btn" type="button" disabled={isBusy} onClick={() => void effect.measure(action)}>
          Try on past searches
        </button>
      )}
      <button
        className="btn action"
        type="button"
        disabled={isBusy || effect.isBusy}
        onClick={() => void accept(action)}
      >
        Accept
      </button>
    </>
  );
}

/** The accepted change, and its result. */
function useAccept() {
  const [result, setResult] = useState<SearchActionResult | null>(null);
  const [error, setError] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const accept = async (action: SearchAction) => {
    setIsBusy(true);
    setError("");
    try {
      setResult(await sendAction<SearchActionResult>("searches/actions", action));
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause;
      setError(cause.message);
    } finally {
      setIsBusy(false);
    }
  };
  return { result, error, isBusy, accept };
}

function About({ row: { query, alike, count, outcome } }: { row: ProposalRow }) {
  return (
    <p className="text-xs muted">
      <mark>{cutText(query, 120)}</mark> was searched {formatCount(count)} times
      {alike.length > 0 && <>, also as {alike.map((words) => `“${cutText(words, 60)}”`).join(", ")}</>}.{" "}
      {outcome === "nothing" ? "It found nothing." : "No one opened a hit."}
    </p>
  );
}

interface ChoicesProps {
  proposals: readonly Proposal[];
  place: number;
  first: RefObject<HTMLInputElement | null>;
  onChoose: (place: number) => void;
}

function Choices({ proposals, place, first, onChoose }: ChoicesProps) {
  const name = useId();
  return (
    <fieldset className="proposals">
      <legend className="vh">Proposal</legend>
      {proposals.map((proposal, index) => (
        <label key={describeProposal(proposal)} htmlFor={`${name}-${index}`}>
          <input
            type="radio"
            id={`${name}-${index}`}
            name={name}
            ref={index === 0 ? first : undefined}
            checked={index === place}
            onChange={() => onChoose(index)}
          />
          <bdi>{describeProposal(proposal)}</bdi>
          <span className="muted">{proposal.evidence}</span>
        </label>
      ))}
    </fieldset>
  );
}

function PageToWrite({ title }: { title: string }) {
  const command = commandFor(title);
  return (
    <p className="text-xs">
      In the repository: <code>{command}</code> <CopyIconButton text={command} label="Copy the command" />
    </p>
  );
}
