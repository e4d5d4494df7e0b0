import bazel from "simple-icons/icons/bazel.svg?raw";
import go from "simple-icons/icons/go.svg?raw";
import gradle from "simple-icons/icons/gradle.svg?raw";
import maven from "simple-icons/icons/apachemaven.svg?raw";
import moonrepo from "simple-icons/icons/moonrepo.svg?raw";
import rust from "simple-icons/icons/rust.svg?raw";
import turborepo from "simple-icons/icons/turborepo.svg?raw";
import { Icon } from "../../ui/icon.tsx";

const MARKS = new Map(
  Object.entries({ bazel, gocache: go, gradle, maven, moonrepo, sccache: rust, turbo: turborepo }),
);

/** Hidden from assistive technology: the tool's name stands beside it. */
export function ToolMark({ tool }: { tool: string }) {
  const mark = MARKS.get(tool);
  if (!mark) return <Icon name="layers" />;
  return (
    <svg className="tech" viewBox="0 0 24 24" aria-hidden="true">
      <path d={/ d="([^"]+)"/.exec(mark)?.[1]} />
    </svg>
  );
}
