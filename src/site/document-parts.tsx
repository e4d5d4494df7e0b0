import { createContext } from "react";
import type { DocumentParts } from "./site-source.ts";

/** Set on the server only; see decisions/001. */
export const DocumentPartsContext = createContext<DocumentParts | null>(null);
