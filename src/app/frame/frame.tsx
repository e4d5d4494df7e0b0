import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useLocation } from "react-router";
import { noteSignedOut } from "../data/call.ts";
import { startLive } from "../data/live.ts";
import { authStateQuery } from "../data/queries.ts";
import { chooseOrganization, keepOrganization } from "../data/choose-organization.ts";
import { type Here, HereContext } from "../data/organization.ts";
import type { AuthState } from "../data/answers.ts";
import { signInAddress } from "../gate/next-page.ts";
import { Failure } from "../ui/failure.tsx";
import { Loading } from "../ui/loading.tsx";
import { LeaveGuard } from "../ui/leaving/leave-question.tsx";
import { ScreenBoundary } from "./screen-boundary.tsx";
import { FrameRoutes, organizationOf } from "./frame-routes.tsx";
import { Shell } from "./shell.tsx";

/** Everything after the sign-in: the session, then the frame with its screens. */
export function Frame() {
  const { data, error, refetch } = useQuery(authStateQuery);
  if (data) return <Inside state={data} />;
  return (
    <main className="page" id="content">
      {error ? (
        <>
          <h1>{__SITE_NAME__} cannot be opened</h1>
          <Failure what="Your sign-in state" error={error} onRetry={() => void refetch()} />
        </>
      ) : (
        <Loading what={__SITE_NAME__} />
      )}
    </main>
  );
}

function Inside({ state }: { state: AuthState }) {
  const { pathname, search } = useLocation();
  const kept = useKeptState(state);
  const here = useHereOf(kept, pathname);
  useEffect(() => {
    if (!here) location.replace(signInAddress(pathname + search));
  }, [here, pathname, search]);
  useLiveOf(here);
  if (!here) return null;
  return (
    <HereContext value={here}>
      <LeaveGuard>
        <Shell>
          <ScreenBoundary address={pathname}>
            <FrameRoutes />
          </ScreenBoundary>
        </Shell>
      </LeaveGuard>
    </HereContext>
  );
}

/** A session that ends while the page is open keeps the page; a question covers it. Another person starts with an empty memory. */
function useKeptState(state: AuthState): AuthState {
  const [kept, setKept] = useState(state);
  const isOut = kept.user !== null && state.user === null;
  const isOther = kept.user !== null && state.user !== null && kept.user.id !== state.user.id;
  if (!isOut && !isOther && kept !== state) setKept(state);
  useEffect(() => {
    if (isOut) noteSignedOut();
    if (isOther) location.reload();
  }, [isOut, isOther]);
  return kept;
}

/** Null: no one is signed in. */
function useHereOf(state: AuthState, pathname: string): Here | null {
  const name = organizationOf(pathname);
  const here = useMemo(() => {
    const { user } = state;
    return user && { state, user, organization: chooseOrganization(user.organizations, name) };
  }, [state, name]);
  const organization = here?.organization;
  useEffect(() => {
    if (organization) keepOrganization(organization);
  }, [organization]);
  return here;
}

/** The page listens to its organization. */
function useLiveOf(here: Here | null): void {
  const client = useQueryClient();
  const name = here?.organization?.name;
  useEffect(() => (name === undefined ? undefined : startLive(name, client)), [name, client]);
}
