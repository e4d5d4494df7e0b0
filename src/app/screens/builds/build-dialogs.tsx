import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../data/call.ts";
import { useOrganization } from "../../data/organization.ts";
import { CodeLine } from "../../ui/code-line.tsx";
import { CommandDialog } from "../../ui/command-dialog.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { buildAgainCommand, isOver, titleOf } from "./build-words.ts";
import type { View } from "./view.ts";

interface Props {
  view: View;
  onClose: () => void;
}

export function BuildDialogs({ question, ...props }: Props & { question: string }) {
  if (question === "again") return <AgainDialog {...props} />;
  if (question === "cancel" && !isOver(props.view.build)) return <CancelDialog {...props} />;
  return null;
}

function AgainDialog({ view: { build }, onClose }: Props) {
  return (
    <CommandDialog title="Build again" onClose={onClose}>
      <p>
        A build starts on the machine that has its files. Run this in the directory of the Dockerfile
        {build.commit_sha && (
          <>
            , at <code>{build.commit_sha.slice(0, 12)}</code>
          </>
        )}
        :
      </p>
      <CodeLine command={buildAgainCommand(build)} />
      <p>In CI, run the job again. Secrets are not stored: pass them again with --secret.</p>
    </CommandDialog>
  );
}

function CancelDialog({ view: { build }, onClose }: Props) {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const cancel = async () => {
    await call("BuildService/CancelBuild", { build_id: build.id }, { organization });
    void client.invalidateQueries({ queryKey: ["builds", organization] });
  };
  return (
    <ConfirmDialog
      title={
        <>
          Cancel <bdi>{titleOf(build)}</bdi>?
        </>
      }
      confirm="Cancel the build"
      cancel="Let it run"
      onConfirm={cancel}
      onClose={onClose}
    >
      <p>
        {build.steps_done > 0
          ? `${build.steps_done} of ${build.steps_total} steps are done and stay in the layer cache. `
          : "No step is done yet. "}
        Running steps are stopped, and whoever started the build is notified. There is no undo.
      </p>
    </ConfirmDialog>
  );
}
