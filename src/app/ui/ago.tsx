interface Props {
  /** RFC 3339; absent or empty: never. */
  at: string | undefined;
  /** Instead of a time that there is not. */
  never?: string;
}

/** "11 min"; the exact time with its zone is in the element and its tip. */
export function Ago({ at, never = "never" }: Props) {
  if (!at) return <span className="num subtle">{never}</span>;
  return (
    <time className="num subtle" dateTime={at} title={at}>
      {at}
    </time>
  );
}
