import type { RefObject } from "react";
import { Icon } from "../icon.tsx";
import { Menu } from "../menu.tsx";
import type { Follow } from "./use-follow.ts";
import type { LogStep } from "./log-sections.ts";
import type { LogSearch } from "./use-log-search.ts";
import { MAX_MATCHES, MAX_QUERY } from "./search-log.ts";

interface Props {
  steps: readonly LogStep[];
  /** The step that is shown first: "build 2/2, linux/arm64". */
  label: string;
  goToStep: (id: string) => void;
  search: LogSearch;
  field: RefObject<HTMLInputElement | null>;
  goToMatch: (by: 1 | -1) => void;
  follow: Follow;
  isFolded: boolean;
  foldAll: () => void;
  isWrapped: boolean;
  wrap: () => void;
  download: () => void;
  leaveSearch: () => void;
}

export function LogHead(props: Props) {
  const { steps, label, goToStep, follow, isFolded, foldAll, isWrapped, wrap, download } = props;
  return (
    <div className="log-header">
      <Menu
        label={`Step: ${label}`}
        className="btn bare"
        items={steps.map((step) => ({
          key: step.id,
          label: `#${step.number} ${step.title}`,
          run: () => goToStep(step.id),
        }))}
      >
        <Icon name="listTree" />
        <bdi className="clip">{label}</bdi>
        <Icon name="chevronDown" className="small" />
      </Menu>
      <span className="grow" />
      <SearchField {...props} />
      <button
        className="btn"
        type="button"
        aria-pressed={follow.isOn}
        aria-keyshortcuts="F"
        onClick={follow.toggle}
      >
        <Icon name="arrowToLine" />
        Follow
        <kbd className="narrow-hidden">F</kbd>
      </button>
      <button
        className="icon-button small"
        type="button"
        aria-label={isFolded ? "Unfold all steps" : "Fold all steps"}
        onClick={foldAll}
      >
        <Icon name={isFolded ? "unfoldVertical" : "foldVertical"} />
      </button>
      <button
        className="icon-button small"
        type="button"
        aria-label="Wrap lines"
        aria-pressed={isWrapped}
        onClick={wrap}
      >
        <Icon name="wrapText" />
      </button>
      <button className="icon-button small" type="button" aria-label="Download the log" onClick={download}>
        <Icon name="download" />
      </button>
    </div>
  );
}

function SearchField({ search, field, goToMatch, leaveSearch }: Props) {
  const total = search.count >= MAX_MATCHES ? `${MAX_MATCHES}+` : search.count;
  return (
    <>
      <span className="find">
        <Icon name="search" />
        <input
          ref={field}
          className="input small"
          type="text"
          value={search.text}
          maxLength={MAX_QUERY}
          placeholder="Search the log"
          aria-label="Search the log"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => search.setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") goToMatch(event.shiftKey ? -1 : 1);
            else if (event.key === "Escape") leaveSearch();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        {search.query === "" ? (
          <kbd aria-hidden="true">/</kbd>
        ) : (
          <output className="find-count" aria-label={`Match ${search.index + 1} of ${total}`}>
            {search.index + 1}/{total}
          </output>
        )}
      </span>
      {search.query !== "" && (
        <>
          <button
            className="icon-button small"
            type="button"
            aria-label="Previous match"
            onClick={() => goToMatch(-1)}
          >
            <Icon name="chevronUp" />
          </button>
          <button
            className="icon-button small"
            type="button"
            aria-label="Next match"
            onClick={() => goToMatch(1)}
          >
            <Icon name="chevronDown" />
          </button>
        </>
      )}
    </>
  );
}
