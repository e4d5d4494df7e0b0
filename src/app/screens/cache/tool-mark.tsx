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
 * Hidden from assistive technology: the tool's name stands beside it. Marks are files of their own, because some are larger
 * than the code of a screen.
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
