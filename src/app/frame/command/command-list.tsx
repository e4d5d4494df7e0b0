/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field keeps the focus and the keys; what it names as current is an option */
import { memo, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { Icon } from "../../ui/icon.tsx";
import { CTRL } from "../../ui/keys/ctrl-key.ts";
import type { Range } from "./find-entries.ts";
import { optionId } from "./option-id.ts";
import type { Row, RowGroup } from "./rows.ts";

interface Props {
  groups: readonly RowGroup[];
  selected: Row | undefined;
  onPoint: (key: string) => void;
  onChoose: (row: Row, isNewTab: boolean) => void;
}

/** Keeps its height while typing: rows stay under the pointer. A letter that has not changed it yet renders nothing. */
export const CommandList = memo(function CommandList({ groups, selected, onPoint, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const current = selected && optionId(selected);
  useEffect(() => {
    if (current) document.querySelector(`#${CSS.escape(current)}`)?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <>
      <div className="command-list" role="listbox" id="command-list" aria-label="Results" ref={list}>
        {groups.map(({ title, rows, words }, at) => (
          <div key={title} role="group" aria-labelledby={`command-group-${at}`}>
            <h3 id={`command-group-${at}`} role="presentation">
              <bdi>{title}</bdi>
            </h3>
            {words && (
              <p className="command-message" role="presentation">
                <Icon name="circleAlert" className="small" />
                {words}
              </p>
            )}
            {rows.map((row) => (
              <Option key={row.key} {...{ row, onPoint, onChoose }} isSelected={row === selected} />
            ))}
          </div>
        ))}
        {count === 0 && <p className="command-message">No results. Type fewer letters, or an id.</p>}
      </div>
      <div className="command-footer">
        <span>
          <kbd>↑</kbd>
          <kbd>↓</kbd>
          move
        </span>
        <span>
          <kbd>↵</kbd>open
        </span>
        <span>
          <kbd>{CTRL} ↵</kbd>new tab
        </span>
        <span>
          <kbd>Tab</kbd>actions
        </span>
        <span>
          <kbd>&gt;</kbd>commands
        </span>
        <span>
          <kbd>?</kbd>documentation
        </span>
      </div>
      <output className="vh">
        {count} {count === 1 ? "result" : "results"}
      </output>
    </>
  );
});

interface OptionProps {
  row: Row;
  isSelected: boolean;
  onPoint: (key: string) => void;
  onChoose: (row: Row, isNewTab: boolean) => void;
}

/** Moving through the list renders only two options. */
const Option = memo(function Option({ row, isSelected, onPoint, onChoose }: OptionProps) {
  const { key, label, icon, marks, note, shortcut } = row;
  const choose = (event: MouseEvent) => {
    if (event.button > 1) return;
    event.preventDefault();
    onChoose(row, event.button === 1 || event.ctrlKey || event.metaKey);
  };
  return (
    <div
      role="option"
      id={optionId(row)}
      aria-selected={isSelected}
      // The list may move under a resting pointer.
      onPointerMove={() => !isSelected && onPoint(key)}
      onClick={choose}
      onAuxClick={choose}
    >
      <Icon name={icon} />
      <bdi className="clip" title={label}>
        {marked(label, marks)}
      </bdi>
      <span className="end">
        {note && (
          <bdi className="clip" title={note}>
            {note}
          </bdi>
        )}
        {shortcut?.split(" ").map((each) => (
          <kbd key={each}>{each}</kbd>
        ))}
        {isSelected && <kbd aria-hidden="true">↵</kbd>}
      </span>
    </div>
  );
});

function marked(label: string, marks: readonly Range[]): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    parts.push(label.slice(at, start), <mark key={start}>{label.slice(start, end)}</mark>);
    at = end;
  }
  return [...parts, label.slice(at)];
}
