import { useRef, useSyncExternalStore } from "react";
import { useHere } from "../data/organization.ts";
import { Dialog } from "../ui/dialog.tsx";
import { CTRL_K } from "../ui/keys/ctrl-key.ts";
import { readKeysOff, setKeysOff, watchKeysOff } from "../ui/keys/keys-off.ts";
import { usePageFacts } from "../page/page.tsx";
import { keyGroups, placesFor } from "./shortcuts.ts";
import { PAGE_SEARCH } from "./use-shortcuts.ts";

/** The keys that work on the page below the dialog. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { organization, user } = useHere();
  const { actions } = usePageFacts();
  const close = useRef<HTMLButtonElement>(null);
  const isOff = useSyncExternalStore(watchKeysOff, readKeysOff);
  const groups = keyGroups({
    actions,
    places: placesFor(user.is_operator, organization !== null),
    hasSearch: document.querySelector(PAGE_SEARCH) !== null,
    hasTable: document.querySelector("main .table") !== null,
  });
  return (
    <Dialog
      title="Keys"
      onClose={onClose}
      isWide
      initialFocus={close}
      footer={
        <>
          <button className="btn" type="button" aria-pressed={isOff} onClick={() => setKeysOff(!isOff)}>
            Single keys off
          </button>
          <button ref={close} className="btn" type="button" onClick={onClose}>
            Close
          </button>
        </>
      }
    >
      <p>
        {isOff
          ? `Single keys are off in this browser; ${CTRL_K} works.`
          : "Single keys work outside of fields."}
      </p>
      <div className="keys">
        {groups.map(({ title, rows }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(({ keys, label }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
