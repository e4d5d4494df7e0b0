import { createContext, useContext } from "react";
import type { EditionFrame } from "../site-source.ts";

/** The edition of the page; undefined in the site's own language. */
export const EditionContext = createContext<EditionFrame | undefined>(undefined);

interface Words {
  /** Undefined in the site's own language. */
  lang: string | undefined;
  t: (english: string) => string;
}

/** The words around an article, in the language of the page. */
export function useWords(): Words {
  const edition = useContext(EditionContext);
  return {
    lang: edition?.language,
    t: (english) => edition?.words[english] ?? english,
  };
}
