import { useQueryClient } from "@tanstack/react-query";
import type { Token } from "#api/gen/json-types.ts";
import { call } from "../../../data/call.ts";
import { useOrganization } from "../../../data/organization.ts";
import { Ago } from "../../../ui/ago.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { hideToast, showToast } from "../../../ui/toast.ts";

/** How long the server lets the revoking person undo a revocation. */
const UNDO_MS = 10_000;

export function RevokeDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ["tokens", organization] });
  const restore = async () => {
    await call("TokenService/Restore", { token_id: token.id }, { organization }).then(
      hideToast,
      (error: unknown) =>
        showToast({
          text: `${token.name} stays revoked. ${error instanceof Error ? error.message : String(error)}`,
          isFailure: true,
        }),
    );
    await refresh();
  };
  const revoke = async () => {
    await call("TokenService/Revoke", { token_id: token.id }, { organization });
    showToast({
      text: `${token.name} was revoked`,
      milliseconds: UNDO_MS,
      action: { label: "Undo", run: () => void restore() },
    });
    void refresh();
  };
  return (
    <ConfirmDialog
      title={
        <>
          Revoke <bdi>{token.name}</bdi>?
        </>
      }
      confirm="Revoke"
      cancel="Keep it"
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        {token.last_used_at ? (
          <>
            It was last used <Ago at={token.last_used_at} /> ago
            {token.last_used_from !== "" && ` from ${token.last_used_from}`}
            {token.type === "user" && token.owner !== "" && (
              <>
                , as <bdi>{token.owner}</bdi>
              </>
            )}
            .{" "}
          </>
        ) : (
          "No one has used it yet. "
        )}
        Anything that uses it is refused at its next request; running builds continue to their end. You can
        undo this for ten seconds.
      </p>
    </ConfirmDialog>
  );
}
