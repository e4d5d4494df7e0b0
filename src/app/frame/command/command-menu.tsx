import { Dialog } from "@base-ui/react/dialog";
import {
  type RefObject,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useNavigate } from "react-router";
import { useHere } from "../../data/organization.ts";
import { useAfterPaint } from "../../ui/after-paint.ts";
import { isAppAddress } from "../../ui/app-address.ts";
import { useReturningFocus } from "../../ui/dialog.tsx";
import { PASSING } from "../../ui/overlays/focus-origin.ts";
import { showToast } from "../../ui/toast.ts";
import { receiveTyped } from "../typed-ahead.ts";
import { CommandInput } from "./command-input.tsx";
import { CommandList } from "./command-list.tsx";
import type { Entry } from "./entries.ts";
import { indexEntries } from "./find-entries.ts";
import { optionId } from "./option-id.ts";
import { keepRecent, readRecent } from "./recent.ts";
import { actionRows, documentationGroups, entryGroups, readTyped, type Row, type RowGroup } from "./rows.ts";
import { useDocumentation } from "./use-documentation.ts";
import { useEntries } from "./use-entries.ts";
import { useImageEntries } from "./use-images.ts";

/** Search or run: everything that has a name, an address or a verb. */
export function CommandMenu({ onClose }: { onClose: () => void }) {
  useReturningFocus();
  const input = useRef<HTMLInputElement>(null);
  const [asked, setAsked] = useState<Entry | null>(null);
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen, details) => {
        if (isOpen) return;
        if (!asked || details.reason !== "escape-key") {
          onClose();
          return;
        }
        details.cancel();
        setAsked(null);
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Viewport className="dialog-viewport">
          <Dialog.Popup
            className="dialog command"
            aria-label="Search or run"
            initialFocus={input}
            finalFocus={false}
            {...PASSING}
          >
            <Commands {...{ input, asked, setAsked, onClose }} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface CommandsProps {
  input: RefObject<HTMLInputElement | null>;
  /** The result whose actions are shown instead of results. */
  asked: Entry | null;
  setAsked: (asked: Entry | null) => void;
  onClose: () => void;
}

function Commands({ input, asked, setAsked, onClose }: CommandsProps) {
  const [value, setValue] = useState("");
  useLayoutEffect(() => receiveTyped(setValue), []);
  const [current, setCurrent] = useState("");
  const { entriesFor, documentationFor } = useGroups(value);
  // Letters appear immediately; the list follows after the paint, when there is time, and a later letter supersedes it.
  const shownValue = useDeferredValue(useAfterPaint(value));
  // Separate: pages that are found later leave the rows above unchanged.
  const entries = useMemo(() => entriesFor(shownValue), [entriesFor, shownValue]);
  const pages = useMemo(() => documentationFor(shownValue), [documentationFor, shownValue]);
  const groups = useMemo(
    () => (asked ? [actionRows(asked)] : [...entries, ...pages]),
    [asked, entries, pages],
  );
  const rows = useMemo(() => rowsOf(groups), [groups]);
  const selected = selectedOf(rows, current);
  const choose = useChoice(onClose);
  /** Keys act on the typed text, even before the list has followed. */
  const rowsNow = () =>
    asked || shownValue === value ? rows : rowsOf([...entriesFor(value), ...documentationFor(value)]);
  const step = (distance: number) => {
    const now = rowsNow();
    const from = selectedOf(now, current);
    const at = from ? now.indexOf(from) : -1;
    setCurrent(now.at((at + distance + now.length) % Math.max(now.length, 1))?.key ?? "");
  };
  const ask = () => {
    const row = selectedOf(rowsNow(), current);
    if (!row?.entry) return;
    setAsked(row.entry);
    // After leaving its actions, the result is current again.
    setCurrent(row.key);
  };
  const type = (text: string) => {
    setValue(text);
    setAsked(null);
    setCurrent("");
  };
  const chooseNow = (isNewTab: boolean) => {
    const row = selectedOf(rowsNow(), current);
    if (row) choose(row, isNewTab);
  };
  return (
    <>
      <CommandInput
        ref={input}
        value={value}
        asked={asked?.label}
        current={selected && optionId(selected)}
        onType={type}
        onStep={step}
        onChoose={chooseNow}
        onAsk={ask}
        onBack={asked ? () => setAsked(null) : undefined}
        onClose={onClose}
      />
      <CommandList groups={groups} selected={selected} onPoint={setCurrent} onChoose={choose} />
    </>
  );
}

const rowsOf = (groups: readonly RowGroup[]): Row[] => groups.flatMap((group) => group.rows);

const selectedOf = (rows: readonly Row[], current: string): Row | undefined =>
  rows.find(({ key }) => key === current) ?? rows[0];

/** @returns functions that find the groups for a text */
function useGroups(value: string) {
  const { organization, user } = useHere();
  const own = useEntries();
  const { text, only } = readTyped(value);
  const images = useImageEntries(only === null ? text : "");
  const entries = useMemo(() => (images.length > 0 ? [...own, ...images] : own), [own, images]);
  const index = useMemo(() => indexEntries(entries), [entries]);
  const recent = useMemo(
    () =>
      readRecent(
        { user: user.id, organization: organization?.id ?? "" },
        new Map(entries.map((entry) => [entry.key, entry])),
      ),
    [entries, user, organization],
  );
  const documentation = useDocumentation(only === "commands" ? "" : text);
  return {
    entriesFor: useCallback((typed: string) => entryGroups(readTyped(typed), index, recent), [index, recent]),
    documentationFor: useCallback(
      (typed: string) => documentationGroups(readTyped(typed), documentation),
      [documentation],
    ),
  };
}

/** Opens, runs or copies, and closes the menu. */
function useChoice(onClose: () => void) {
  const { organization, user } = useHere();
  const navigate = useNavigate();
  return useCallback(
    ({ to, run, copy, entry, isNewTab: isAlwaysNew }: Row, isNewTab: boolean) => {
      if (entry && to && !entry.isCommand)
        keepRecent({ user: user.id, organization: organization?.id ?? "" }, entry.key);
      onClose();
      if (copy !== undefined) void copyText(copy);
      else if (to !== undefined && (isNewTab || isAlwaysNew)) window.open(to, "_blank", "noopener");
      else if (to !== undefined && isAppAddress(to)) void navigate(to);
      else if (to !== undefined) location.assign(to);
      else run?.();
    },
    [onClose, navigate, organization, user],
  );
}

async function copyText(text: string): Promise<void> {
  // Without https, or without permission, there is no clipboard.
  const isDone = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  showToast(isDone ? { text: `Copied ${text}` } : { text: `Not copied: ${text}`, isFailure: true });
}
