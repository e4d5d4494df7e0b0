import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useLocation } from "react-router";
import { startLive } from "../data/live.ts";
import { authStateQuery } from "../data/queries.ts";
import { chooseOrganization, type Here, HereContext, keepOrganization } from "../data/organization.ts";
import type { AuthState } from "../gate/answers.ts";
import { signInAddress } from "../gate/next-page.ts";
import { Failure } from "../ui/failure.tsx";
import { LeaveGuard } from "./leave-question.tsx";
import { ScreenBoundary } from "./screen-boundary.tsx";
import { FrameRoutes, organizationOf } from "./frame-routes.tsx";
import { Shell } from "./shell.tsx";

/** Everything behind the sign-in: who it is, then the frame with its screens. */
export function Frame() {
  const { data, error, refetch } = useQuery(authStateQuery);
  if (data) return <Inside state={data} />;
  if (error) return <Failure what="This page" error={error} onRetry={() => void refetch()} />;
  return null;
}

function Inside({ state }: { state: AuthState }) {
  const { pathname, search } = useLocation();
  const here = useHereOf(state, pathname);
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

/** Null: nobody is signed in. */
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

/** The page listens to the organization that it is about. */
function useLiveOf(here: Here | null): void {
  const client = useQueryClient();
  const name = here?.organization?.name;
  useEffect(() => (name === undefined ? undefined : startLive(name, client)), [name, client]);
}
