import { type RefObject, useEffect, useRef, useState } from "react";
import { hitPath } from "../../search/hit-text.ts";
import type { DocsHit } from "../../search/protocol.ts";
import { findTexts } from "../search-found/find-texts.ts";
import { passagesOf } from "../../anywhere/passages.ts";
import { fetchPage } from "./fetch-page.ts";
import { sectionOf } from "./section-of.ts";

interface Section {
  bodyRef: RefObject<HTMLDivElement | null>;
  /** A message in place of a section; "" while a section is shown. */
  status: string;
  /** The number of code blocks that can be copied. */
  codeCount: number;
  /** The body still has the previous hit's section. */
  isBusy: boolean;
}

interface Shown {
  hit: DocsHit | undefined;
  status: string;
  codeCount: number;
}

/** Fills the body with the section that the hit leads to; its passage is marked and in view. */
export function useSection(hit: DocsHit | undefined): Section {
  const bodyRef = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown>({ hit: undefined, status: "Loading...", codeCount: 0 });

  useEffect(() => {
    if (!hit) return;
    let isCurrent = true;
    const { pathname, hash } = new URL(hitPath(hit.url), location.origin);
    const show = (section: DocumentFragment | null, status: string) => {
      const body = bodyRef.current;
      if (!isCurrent || !body) return;
      body.replaceChildren(...(section ? [document.importNode(section, true)] : []));
      body.parentElement?.scrollTo(0, 0);
      setShown({ hit, status, codeCount: body.querySelectorAll(".copy").length });
      markIn(body, hit);
    };
    fetchPage(pathname).then(
      (page) => {
        const section = sectionOf(page, hash);
        show(section, section ? "" : "This result has no section to show. Open it instead.");
      },
      () => show(null, "The preview could not be loaded. Check the connection, or open the page."),
    );
    return () => {
      isCurrent = false;
      globalThis.CSS.highlights?.delete(NAME);
    };
  }, [hit]);

  const { status, codeCount } = shown;
  return { bodyRef, status, codeCount, isBusy: shown.hit !== hit };
}

const NAME = "previewed";

function markIn(body: HTMLElement, hit: DocsHit): void {
  const ranges = findTexts(body, passagesOf(hit), null);
  globalThis.CSS.highlights?.set(NAME, new Highlight(...ranges));
  const panel = body.parentElement;
  const top = ranges[0]?.getBoundingClientRect().top;
  // Not `scrollIntoView`, which would also scroll the results.
  if (panel && top !== undefined) panel.scrollTo(0, top - panel.getBoundingClientRect().top - 120);
}

/** The copy button of the code that the hit found, or of the section's first code. */
export function copyButtonOf(body: HTMLElement, hit: DocsHit): HTMLButtonElement | null {
  const [passage] = hit.type === "code" ? passagesOf(hit) : [];
  const figures = [...body.querySelectorAll("figure")].filter((figure) => figure.querySelector(".copy"));
  const found = figures.find((figure) => passage && findTexts(figure, [passage], null).length > 0);
  return (found ?? body).querySelector<HTMLButtonElement>("button.copy");
}
