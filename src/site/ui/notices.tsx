/**
 * The last element of a page: the polite live region, the consent question, and the place for notices. All
 * are filled without React: see announce.ts, boot/ask.ts and reader/notice-stack.tsx, which is loaded when
 * needed.
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
      <div className="ask" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />
    </section>
  );
}
