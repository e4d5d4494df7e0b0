/**
 * The last element of a page: the polite live region, the question of consent, and the place of the notices. All are filled
 * past React: see announce.ts, boot/ask.ts and reader/notice-stack.tsx, which is loaded when there is something to say.
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
