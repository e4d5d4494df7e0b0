import { MARK_PATHS } from "./mark-paths.ts";

/** The brand's mark. It is in the page itself, not in the sprite, so that the first paint includes it. */
export function Mark() {
  return (
    <svg
      className="mark"
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="5"
      aria-hidden="true"
    >
      <path d={MARK_PATHS[0]} />
      <path d={MARK_PATHS[1]} />
    </svg>
  );
}
