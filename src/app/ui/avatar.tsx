/** The first letters of a name. Hidden from assistive technology: the name stands beside it. */
export function Avatar({ name, isLarge }: { name: string; isLarge?: boolean }) {
  return (
    // Not as text: a button's label would have to begin with the letters.
    <span className={isLarge ? "av lg" : "av"} aria-hidden="true" data-letters={initialsOf(name)} />
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? "")][0] ?? "",
  );
  return letters.join("").toLocaleUpperCase("en");
}

/** Avatar and name, as tables show who did something. */
export function Person({ name }: { name: string }) {
  return (
    <span className="row">
      <Avatar name={name} />
      <bdi className="clip" title={name}>
        {name}
      </bdi>
    </span>
  );
}
