import { useEffectEvent, useLayoutEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { announce } from "#ui/announce.ts";
import { useHere } from "../data/organization.ts";
import { showToast } from "../ui/toast.ts";
import { isKeyTaken } from "../ui/keys/accepts-key.ts";
import { readKeysOff } from "../ui/keys/keys-off.ts";
import { closeOpened, openCommandMenu, openKeys, readOpened } from "./opened.ts";
import { takeKeyAhead } from "./typed-ahead.ts";
import { readPageFacts } from "../page/page.tsx";
import { addressOf } from "../page/places.ts";
import { type Act, actOf, placesFor } from "./shortcuts.ts";

/** How long `G` waits for a letter. */
const SEQUENCE_MS = 1_500;
/** A page's search announces that `/` leads to it. */
export const PAGE_SEARCH = 'main [aria-keyshortcuts="/"]';

/** The frame's keys and those of the page's actions. */
export function useShortcuts(): void {
  const { organization, user } = useHere();
  const navigate = useNavigate();
  const sinceG = useRef(-Infinity);
  const run = (act: Act) => {
    if (act.kind === "command-menu") {
      if (readOpened() === "command") closeOpened();
      else openCommandMenu();
    } else if (act.kind === "place") void navigate(addressOf(organization?.name ?? "", act.place.path));
    else if (act.kind === "action") act.action.run();
    else if (act.kind === "search") document.querySelector<HTMLElement>(PAGE_SEARCH)?.focus();
    else if (act.kind === "keys") openKeys();
    else if (act.kind === "copy-link") void copyLink();
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (readOpened() === "command" && takeKeyAhead(event)) {
      event.preventDefault();
      return;
    }
    if (event.repeat) return;
    const isAfterG = event.timeStamp - sinceG.current < SEQUENCE_MS;
    sinceG.current = -Infinity;
    const act = actOf(event, {
      actions: readPageFacts().actions,
      places: placesFor(user.is_operator, organization !== null),
      isTaken: isKeyTaken(event.target),
      isAfterG,
      isOff: readKeysOff(),
    });
    if (!act) return;
    event.preventDefault();
    if (act.kind === "places") sinceG.current = event.timeStamp;
    else run(act);
  });
  useLayoutEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** Copies the page's address with all its parameters. */
async function copyLink(): Promise<void> {
  // Without https, or without permission, there is no clipboard.
  const isDone = await navigator.clipboard?.writeText(location.href).then(
    () => true,
    () => false,
  );
  if (isDone) showToast({ text: "Copied the link to this page" });
  else announce("Not copied: copy the address instead");
}
