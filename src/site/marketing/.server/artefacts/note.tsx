import { Inline } from "../inline.tsx";

/** The small print below an artefact, usually saying that it is a sample. */
export function Note({ text }: { text: string }) {
  return (
    <p className="fine">
      <Inline text={text} />
    </p>
  );
}
