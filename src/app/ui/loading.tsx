interface Props {
  /** In the middle of a sentence: "builds". */
  what: string;
  /** As many as there will be, about. */
  rows?: number;
}

/** Lines of the real height and the words, both after 150 ms: a quick answer does not flicker. */
export function Loading({ what, rows = 3 }: Props) {
  return (
    <div className="loading">
      <div aria-hidden="true">
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className="loading-row">
            <span className="sk" />
            <span className="sk" />
          </div>
        ))}
      </div>
      <output aria-busy="true">Loading {what}...</output>
    </div>
  );
}
