import { Inline } from "../inline.tsx";

/** The small print below an artefact; mostly it says that this is a sample. */
export function Note({ text }: { text: string }) {
  return (
    <p className="fine">
      <Inline text={text} />
    </p>
  );
}
