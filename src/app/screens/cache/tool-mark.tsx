import { cssVariables } from "../../ui/css-variables.ts";
import { Icon } from "../../ui/icon.tsx";
import { MARKS as MADE } from "./gen/marks.ts";

const MARKS = new Map(Object.entries(MADE));

/** Hidden from assistive technology: the tool's name is next to it. */
export function ToolMark({ tool }: { tool: string }) {
  const mark = MARKS.get(tool);
  if (!mark) return <Icon name="layers" />;
  return (
    <span
      className="tech tool-mark"
      style={cssVariables({ "--mark": `url("${mark}")` })}
      aria-hidden="true"
    />
  );
}
