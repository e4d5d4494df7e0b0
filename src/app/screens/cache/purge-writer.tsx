import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "react-router";
import type { CacheWriter } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";
import { useOrganization } from "../../data/organization.ts";
import { cutText, formatBytes, plural } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast } from "../../ui/toast.ts";

export function PurgeDialog({ writer, onClose }: { writer: CacheWriter; onClose: () => void }) {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const done = useRef<string | null>(null);
  const name = cutText(writer.name, 60);
  const isToken = writer.token_id.startsWith("tok_") && writer.kind !== "job";
  const purge = async () => {
    const { entries, freed_bytes } = await call(
      "CacheService/Purge",
      { writer_id: writer.id },
      { organization },
    );
    done.current = `${plural(Number(entries), "entry")} of ${name} purged: ${formatBytes(Number(freed_bytes))} freed.`;
    void client.invalidateQueries({ queryKey: ["cache", organization] });
  };
  const close = () => {
    onClose();
    if (done.current !== null) showToast({ text: done.current });
  };
  return (
    <ConfirmDialog
      title={
        <>
          Purge what <bdi>{name}</bdi> wrote?
        </>
      }
      confirm="Purge all of it"
      cancel="Keep them"
      onConfirm={purge}
      onClose={close}
    >
      <p>
        This deletes everything that it has written, for every tool of {organization}. The next builds do this
        work again. There is no undo. It can still write
        {isToken ? (
          <>
            :{" "}
            <Link to={addressOf(organization, `settings/tokens?row=${writer.token_id}`)}>
              revoke the token
            </Link>{" "}
            first.
          </>
        ) : (
          "."
        )}
      </p>
    </ConfirmDialog>
  );
}
