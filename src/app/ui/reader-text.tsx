import { cutText } from "../format.ts";

interface Props {
  text: string;
  /** Maximum characters. */
  length?: number;
}

/** A reader's words: as text, in its own direction, cut; the full words (to 2,000 characters) are in the tooltip. */
export function ReaderText({ text, length = 80 }: Props) {
  const short = cutText(text, length);
  return (
    <bdi className="reader-text" title={short === text ? undefined : cutText(text, 2000)}>
      {short || "(empty)"}
    </bdi>
  );
}
