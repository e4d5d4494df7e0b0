import type { KeyboardEvent, Ref } from "react";
import { Icon } from "../../ui/icon.tsx";

interface Props {
  ref: Ref<HTMLInputElement>;
  value: string;
  /** The result whose actions are shown. */
  asked: string | undefined;
  /** The id of the current option. */
  current: string | undefined;
  onType: (value: string) => void;
  onStep: (distance: number) => void;
  onChoose: (isNewTab: boolean) => void;
  /** Shows the actions of the current result. */
  onAsk: () => void;
  onBack: (() => void) | undefined;
  onClose: () => void;
}

export function CommandInput({ ref, value, asked, current, ...on }: Props) {
  const act = (event: KeyboardEvent): (() => void) | undefined => {
    const { key, shiftKey, ctrlKey, metaKey } = event;
    if (key === "ArrowDown") return () => on.onStep(1);
    if (key === "ArrowUp") return () => on.onStep(-1);
    if (key === "Enter") return () => on.onChoose(ctrlKey || metaKey);
    if (key === "Tab") return shiftKey ? on.onBack : asked === undefined ? on.onAsk : () => on.onStep(1);
    if (key === "Backspace" && asked !== undefined) return on.onBack;
    return undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and arrows choose among an input method's suggestions.
    if (event.nativeEvent.isComposing) return;
    const run = act(event);
    if (!run) return;
    event.preventDefault();
    run();
  };
  return (
    <div className="command-input">
      <Icon name="search" className="large" />
      {asked !== undefined && (
        <span className="tag">
          <bdi className="clip">{asked}</bdi>
        </span>
      )}
      <input
        ref={ref}
        role="combobox"
        aria-label="Search or run"
        aria-expanded="true"
        aria-controls="command-list"
        aria-autocomplete="list"
        aria-activedescendant={current}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={200}
        placeholder={asked === undefined ? "Name, id or command" : ""}
        value={value}
        onChange={({ target }) => on.onType(target.value)}
        onKeyDown={onKeyDown}
      />
      <button className="esc" type="button" tabIndex={-1} onClick={on.onClose}>
        <kbd>Esc</kbd>
        <span className="vh">, close</span>
      </button>
    </div>
  );
}
