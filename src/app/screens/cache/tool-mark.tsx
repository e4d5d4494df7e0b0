import bazel from "simple-icons/icons/bazel.svg?url";
import go from "simple-icons/icons/go.svg?url";
import gradle from "simple-icons/icons/gradle.svg?url";
import maven from "simple-icons/icons/apachemaven.svg?url";
import moonrepo from "simple-icons/icons/moonrepo.svg?url";
import rust from "simple-icons/icons/rust.svg?url";
import turborepo from "simple-icons/icons/turborepo.svg?url";
import { cssVariables } from "../../ui/css-variables.ts";
import { Icon } from "../../ui/icon.tsx";

const MARKS = new Map(
  Object.entries({ bazel, gocache: go, gradle, maven, moonrepo, sccache: rust, turbo: turborepo }),
);

/**
 * Hidden from assistive technology: the tool's name is next to it. Each mark has its own file, because some
 * are larger than a screen's code.
 */
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
