/** A description: text between backticks is code. */
export function WithCode({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    // Every second part was between two backticks; parts never move.
    // oxlint-disable-next-line react/no-array-index-key
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
