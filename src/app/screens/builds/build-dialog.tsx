import { CommandDialog } from "../../ui/command-dialog.tsx";
import { BuildCommands } from "./no-builds.tsx";

/** A build starts from the directory of its files. */
export function BuildDialog({ onClose }: { onClose: () => void }) {
  return (
    <CommandDialog
      title="Build from the CLI"
      documentation="/docs/container-builds/quickstart"
      onClose={onClose}
    >
      <p>
        Run these in the directory of a Dockerfile. The flags are those of docker build. The build appears
        here by itself.
      </p>
      <BuildCommands />
    </CommandDialog>
  );
}
