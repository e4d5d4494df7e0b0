/** Words and lines of the real size, after 150 ms. */
export function Loading({ what }: { what: string }) {
  return (
    <output className="empty" aria-busy="true">
      Loading {what}...
    </output>
  );
}
