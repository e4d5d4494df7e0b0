import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { CacheNamespace } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";
import { useOrganization } from "../../data/organization.ts";
import { formatBytes, plural } from "../../format.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast } from "../../ui/toast.ts";
import type { CacheTool } from "./tools.ts";

interface Props {
  tool: CacheTool;
  namespace: CacheNamespace;
  onClose: () => void;
}

export function ResetDialog({ tool, namespace, onClose }: Props) {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const freed = useRef<number | null>(null);
  const size = formatBytes(Number(namespace.size_bytes));
  const entries = Number(namespace.entries);
  const reset = async () => {
    const answer = await call("CacheService/Reset", { tool: tool.id }, { organization });
    freed.current = Number(answer.freed_bytes);
    void client.invalidateQueries({ queryKey: ["cache", organization] });
  };
  const close = () => {
    onClose();
    if (freed.current !== null)
      showToast({ text: `The cache of ${tool.name} is reset: ${formatBytes(freed.current)} freed.` });
  };
  return (
    <ConfirmDialog
      title={`Reset the cache of ${tool.name}?`}
      confirm={`Reset ${size}`}
      cancel="Keep it"
      typed={tool.name}
      onConfirm={reset}
      onClose={close}
    >
      <p>
        This deletes {plural(entries, "entry")}, {size}. The next builds do all of this work again, on every
        machine. Other tools keep theirs. There is no undo.
      </p>
    </ConfirmDialog>
  );
}
