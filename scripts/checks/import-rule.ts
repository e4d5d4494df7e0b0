/** What a rule of `import-rules.ts` says about a room. */

export interface ImportRule {
  /** The room's name in the table. */
  room: string;
  /** Matches the room's files, relative to the project. The first room that matches wins. */
  has: RegExp;
  /** Other rooms that it may import. */
  values: readonly string[];
  /** Rooms from which it may also import types. */
  types?: readonly string[];
  /** Packages; a `*` at the end stands for the rest of the name. */
  packages: readonly string[];
  /** Absent: other rooms may import any of its files. */
  entryPoint?: EntryPoint;
  /**
   * The room's folders from the top down: each may import only those below it. Files next to the folders are above all of them;
   * tests and `testing/` may import everything. Absent: only circles are forbidden.
   */
  layers?: readonly string[];
}

/** Other rooms may import only the room's `index.ts`. */
export interface EntryPoint {
  /** False until all importers use it. */
  isEnforced: boolean;
  /** More entry points, for importers that cannot load everything `index.ts` imports. */
  others?: readonly string[];
  /** Rooms that still import other files. A room that no longer does must be removed from this list. */
  pending?: readonly string[];
}
