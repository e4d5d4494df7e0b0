/**
 * The last element of a page: the polite live region, and the place of the notices. Both are filled past React: see
 * announce.ts and reader/notice-stack.tsx, which is loaded when there is something to say.
 */
export function Notices() {
  return (
    <section className="notices" aria-label="Notices">
      <output
        id="announcer"
        className="vh"
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: "" }}
      />
    </section>
  );
}
