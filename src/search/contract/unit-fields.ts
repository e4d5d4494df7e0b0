/** A text's role in its section. Documents that stand alone number their fields by attribute instead. */
export const Field = {
  heading: 0,
  page: 1,
  ancestor: 2,
  section: 3,
  text: 4,
  /** Searched but not shown: the page's path, and its name in the address. */
  path: 5,
  name: 6,
  /** The first cell of a table row that has an address of its own: what the row defines. */
  term: 7,
} as const;

/** Weight of one occurrence, by `Field`. */
export const SECTION_WEIGHTS = [5, 5, 2, 1, 1, 2, 2, 1];
/** How much a long text lowers the weight of one occurrence, by `Field`: 0 = not at all, 1 = in proportion. All fields use the same. */
export const SECTION_LENGTH_NORMS = [0.35, 0.35, 0.35, 0.35, 0.35, 0.35, 0.35, 0.35];

/** Occurrences after which a further one adds little. */
export const SATURATION = 1.5;
