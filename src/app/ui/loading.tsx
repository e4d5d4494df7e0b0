interface Props {
  /** Written as in the middle of a sentence: "builds". */
  what: string;
  /** The expected number, approximately. */
  rows?: number;
}

/** Lines of the real height and the text, both after 150 ms: a quick answer does not flicker. */
export function Loading({ what, rows = 3 }: Props) {
  return (
    <div className="loading">
      <div aria-hidden="true">
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className="loading-row">
            <span className="skeleton" />
            <span className="skeleton" />
          </div>
        ))}
      </div>
      <output aria-busy="true">Loading {what}...</output>
    </div>
  );
}
