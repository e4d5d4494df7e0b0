/** A name's initials. Hidden from assistive technology: the name is next to them. */
export function Avatar({ name, isLarge }: { name: string; isLarge?: boolean }) {
  return (
    // Not as text: a button's label would have to begin with the letters.
    <span
      className={isLarge ? "avatar large" : "avatar"}
      aria-hidden="true"
      data-letters={initialsOf(name)}
    />
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? "")][0] ?? "",
  );
  return letters.join("").toLocaleUpperCase("en");
}

/** Avatar and name, for tables of people's actions. */
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
