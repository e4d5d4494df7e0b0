import { useEffect, useState } from "react";
import { announce } from "#ui/announce.ts";
import type { DocsSearch } from "../../search/use-docs-search.ts";
import { adoptStyles } from "../adopt-styles.ts";
import { errorQuery, looksLikeError } from "../../anywhere/paste/error-query.ts";
import { loadKnownErrors } from "./known-errors.ts";
import styles from "./pasted-error.css?inline";

adoptStyles(styles);

/** Searches for the cause in a pasted error, shows a note about it, and restores the pasted text on request. */
export function PastedError({ search }: { search: DocsSearch }) {
  const { pasted, query, inputRef, onText } = search;
  const [found, setFound] = useState<{ of: DocsSearch["pasted"]; query: string } | null>(null);

  const write = (text: string) => {
    if (!inputRef.current) return;
    inputRef.current.value = text;
    onText(text);
  };

  useEffect(() => {
    if (!pasted) return;
    let isOver = false;
    void queryOf(pasted.text).then((cause) => {
      // The reader has continued typing, or has pasted it into other words.
      if (isOver || cause === null || !isStill(inputRef.current, pasted.text)) return;
      write(cause);
      setFound({ of: pasted, query: cause });
      announce(`Searching for: ${cause}`);
    });
    return () => {
      isOver = true;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each text
  }, [pasted]);

  if (!pasted || found?.of !== pasted || query !== found.query) return null;
  return (
    <p className="pasted">
      <span>Found in what you pasted.</span>
      <button type="button" onClick={() => write(pasted.text.replace(/\s+/g, " ").trim())}>
        Search for all of it
      </button>
    </p>
  );
}

async function queryOf(text: string): Promise<string | null> {
  const found = errorQuery(text, await loadKnownErrors());
  return found && (found.isKnown || looksLikeError(text)) ? found.query : null;
}

/** Ignores white space, because a text box drops line breaks. */
function isStill(input: HTMLInputElement | null, text: string): boolean {
  const squeeze = (value: string) => value.replace(/\s+/g, "");
  return input !== null && squeeze(input.value) === squeeze(text);
}
