import { CommandDialog } from "../../ui/command-dialog.tsx";
import { BuildCommands } from "./no-builds.tsx";

/** A build begins where its files are. */
export function BuildDialog({ onClose }: { onClose: () => void }) {
  return (
    <CommandDialog
      title="Build from the CLI"
      documentation="/docs/container-builds/quickstart"
      onClose={onClose}
    >
      <p>
        In the directory of a Dockerfile. Flags are those of docker build; the build appears here by itself.
      </p>
      <BuildCommands />
    </CommandDialog>
  );
}
