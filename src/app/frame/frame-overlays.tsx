import { lazy, Suspense, useSyncExternalStore } from "react";
import { useSearchParams } from "react-router";
import { readSignedOut, watchSignedOut } from "../data/call.ts";
import { isIdentityAsked, watchIdentity } from "../data/confirming.ts";
import { IdentityBoundary } from "../gate/identity-boundary.tsx";
import { LeaveQuestion } from "../ui/leaving/leave-question.tsx";
import { loadCommandMenu } from "./command/load.ts";
import { closeOpened, readOpened, watchOpened } from "./opened.ts";

const CommandMenu = lazy(async () => ({ default: (await loadCommandMenu()).CommandMenu }));
const KeysDialog = lazy(async () => ({ default: (await import("./keys-dialog.tsx")).KeysDialog }));
const SessionEnded = lazy(async () => ({ default: (await import("./session-ended.tsx")).SessionEnded }));
const IdentityDialog = lazy(async () => ({
  default: (await import("./identity-dialog.tsx")).IdentityDialog,
}));
const OrganizationDialog = lazy(async () => ({
  default: (await import("./organization-dialog.tsx")).OrganizationDialog,
}));

const ORGANIZATION_QUESTION = /^(?:new|rename|delete)-organization$/;

/** Overlays of every screen. Each part is fetched when it is needed. */
export function FrameOverlays() {
  const opened = useSyncExternalStore(watchOpened, readOpened);
  const isSignedOut = useSyncExternalStore(watchSignedOut, readSignedOut);
  const isIdentityDue = useSyncExternalStore(watchIdentity, isIdentityAsked);
  const [params] = useSearchParams();
  return (
    <>
      <Suspense fallback={null}>
        {ORGANIZATION_QUESTION.test(params.get("do") ?? "") && <OrganizationDialog />}
        {opened === "command" && <CommandMenu onClose={closeOpened} />}
        {opened === "keys" && <KeysDialog onClose={closeOpened} />}
      </Suspense>
      <LeaveQuestion />
      {isIdentityDue && (
        <IdentityBoundary>
          <IdentityDialog />
        </IdentityBoundary>
      )}
      {/* Waiting for a file hides everything in the same boundary: open overlays stay. */}
      <Suspense fallback={null}>{isSignedOut && <SessionEnded />}</Suspense>
    </>
  );
}
