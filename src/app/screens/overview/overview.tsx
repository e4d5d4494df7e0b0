import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useAddress } from "../../data/address.ts";
import { isSettled } from "../../data/is-settled.ts";
import { useOrganization } from "../../data/organization.ts";
import { Head, Page } from "../../page/page.tsx";
import { Loading } from "../../ui/loading.tsx";
import { capabilitiesQuery, findLack } from "../builders/builders-queries.ts";
import { useChecklistHidden } from "./use-checklist-hidden.ts";
import { FirstRunScreen } from "./first-run-screen.tsx";
import { type FirstRun, firstRunQuery, isFinished, stepsFor } from "./first-run.ts";
import { TodayScreen } from "./today-screen.tsx";

const LOOK_EVERY_MS = 5_000;

/** `/app/:org`: the first-run list until it is done or hidden, then current activity. `?checklist=1` shows the list. */
export function OverviewScreen() {
  const organization = useOrganization();
  // Another organization has its own list.
  return <OverviewOf key={organization.id} />;
}

function OverviewOf() {
  const organization = useOrganization();
  const { params, change } = useAddress();
  const [isHidden, setHidden] = useChecklistHidden(organization.id);
  const isAsked = params.get("checklist") === "1";
  const wantsList = isAsked || !isHidden;
  const isDoneBy = (run: FirstRun) => isFinished(run, stepsFor(organization));
  const { data: firstRun, error } = useQuery({
    ...firstRunQuery(organization.name),
    enabled: wantsList,
    // A token's first use causes no event: the page polls while someone waits for a tick.
    refetchInterval: ({ state }) => (state.data && isDoneBy(state.data) ? false : LOOK_EVERY_MS),
  });
  const isDone = firstRun !== undefined && isDoneBy(firstRun);
  // The list stays while it is viewed, even after its last step is ticked.
  const [wasShown, setWasShown] = useState(false);
  if (firstRun && !isDone && wantsList && !wasShown) setWasShown(true);
  const showsList = wantsList && firstRun !== undefined && (isAsked || !isDone || wasShown);
  // Before the first build, people are told that nothing can build here yet.
  const wantsLack = showsList && firstRun.steps.build === null;
  const can = useQuery({ ...capabilitiesQuery(organization.name), enabled: wantsLack });
  const setShown = useCallback(
    (isShown: boolean) => {
      setHidden(!isShown);
      change({ checklist: isShown ? "1" : null });
    },
    [change, setHidden],
  );
  const hide = useCallback(() => setShown(false), [setShown]);
  const show = useCallback(() => setShown(true), [setShown]);
  if ((wantsList && !firstRun && !error) || (wantsLack && !isSettled(can)))
    return (
      <Page title="Overview">
        <Head title="Overview" />
        <Loading what="the overview" />
      </Page>
    );
  if (showsList) return <FirstRunScreen firstRun={firstRun} lack={findLack(can.data)} onHide={hide} />;
  return <TodayScreen onShowChecklist={show} />;
}
