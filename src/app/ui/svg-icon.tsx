/** The shapes inside the file's root element: `<svg …>shapes</svg>`. */
const shapesOf = (svg: string) =>
  svg
    .slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"))
    // Line breaks would become text of the control around it.
    .replaceAll(/\s*\n\s*/g, "");

interface Props {
  /** The content of one of Lucide's files. */
  svg: string;
  className?: string;
}

/** Hidden from assistive technology: the control around it has the words. */
export function SvgIcon({ svg, className = "" }: Props) {
  return (
    <svg
      className={`icon ${className}`.trim()}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: shapesOf(svg) }}
    />
  );
}
