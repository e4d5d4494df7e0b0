/**
 * The actions of a reader who agreed, as events. Presses are handled at the document, so that the components know
 * nothing about them; actions without a press arrive through `track` (tracked-events.ts).
 */
import { createSearchSettler } from "#telemetry/browser/settle-search.ts";
import type { HitClick } from "#telemetry/browser/insights.ts";
import { setTrackListener, type SearchAnswered } from "../tracked-events.ts";

export interface SiteEventOptions {
  capture: (name: string, properties: { [key: string]: unknown }) => void;
  /** Click analytics of the search. */
  onHitClick: (click: HitClick) => void;
  onPage: () => void;
}

interface Search extends SearchAnswered {
  hits: SearchAnswered["hits"];
  queryId: string;
}

/** @returns a function that stops it. */
export function startSiteEvents({ capture, onHitClick, onPage }: SiteEventOptions): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let shown: Search | null = null;
  const settler = createSearchSettler(({ query, hits }) => capture("search", { query, hits }));

  const clickHit = (index: number) => {
    const hit = shown?.hits[index];
    if (!shown || !hit) return;
    settler.settle();
    capture("search_click", {
      query: shown.query,
      position: index + 1,
      object_id: hit.objectID,
      url: new URL(hit.url, location.href).pathname,
    });
    onHitClick({ queryId: shown.queryId, objectIds: [hit.objectID], positions: [index + 1] });
  };

  const onClick = ({ target }: Event) => {
    if (!(target instanceof Element)) return;
    const control = target.closest<HTMLElement>("a, button");
    if (!control) return;
    if (control.closest("#hits")) clickHit(indexOfHit(control.id));
    else if (control.matches(".copy")) capture("copy", { kind: "code" });
    else if (control.matches("[data-copies]")) capture("copy", { kind: control.dataset["copies"] });
    else if (control instanceof HTMLAnchorElement && isCallToAction(control))
      capture("cta", {
        label: control.querySelector("span")?.textContent ?? control.textContent,
        to: control.pathname,
      });
  };

  const onKeydown = ({ key, target, isComposing, metaKey, ctrlKey }: KeyboardEvent) => {
    // The search box opens the selected hit in a new tab itself; without these keys it clicks the hit.
    const isNewTab = key === "Enter" && !isComposing && (metaKey || ctrlKey);
    const id = isNewTab && (target as Element).getAttribute("aria-activedescendant");
    if (id) clickHit(indexOfHit(id));
  };

  document.addEventListener("click", onClick, { capture: true, signal });
  document.addEventListener("keydown", onKeydown, { capture: true, signal });
  addEventListener("pagehide", settler.settle, { signal });
  setTrackListener((name, detail) => {
    if (name === "answer") {
      shown = { ...(detail as SearchAnswered) /* the detail of this name */, queryId: "" };
      shown.queryId = shown.queryID ?? randomId();
      settler.add({ query: shown.query, hits: shown.total });
    } else if (name === "page") {
      settler.settle();
      capture("$pageview", {});
      onPage();
    } else capture(name, { ...detail });
  });
  return () => {
    controller.abort();
    setTrackListener(undefined);
  };
}

const indexOfHit = (id: string) => Number(/^hit-(\d+)$/.exec(id)?.[1] ?? -1);

/** The primary action anywhere, and every button that is a link on the pages outside the documentation. */
function isCallToAction(link: HTMLAnchorElement): boolean {
  return link.matches(".btn-action") || (link.matches("main .btn") && !location.pathname.startsWith("/docs"));
}

/** 32 hexadecimal digits, for an engine that does not name its answers. */
function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
