import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAddress } from "../../data/address.ts";
import { useOrganization } from "../../data/organization.ts";
import { Head, Page } from "../../frame/page.tsx";
import { Loading } from "../../ui/loading.tsx";
import { useChecklistHidden } from "./checklist-hidden.ts";
import { FirstRunScreen } from "./first-run-screen.tsx";
import { firstRunQuery, isFinished, stepsFor } from "./first-run.ts";
import { TodayScreen } from "./today-screen.tsx";

/** `/app/:org`: the first-run list until it is done or put away, then what happens here. `?checklist=1` shows the list. */
export function OverviewScreen() {
  const organization = useOrganization();
  // Another organization is another beginning.
  return <OverviewOf key={organization.id} />;
}

function OverviewOf() {
  const organization = useOrganization();
  const { params, change } = useAddress();
  const [isHidden, setHidden] = useChecklistHidden(organization.id);
  const isAsked = params.get("checklist") === "1";
  const wantsList = isAsked || !isHidden;
  const { data: firstRun, error } = useQuery({ ...firstRunQuery(organization.name), enabled: wantsList });
  const isDone = firstRun !== undefined && isFinished(firstRun, stepsFor(organization));
  // The list stays while it is looked at, also when its last step is ticked.
  const [wasShown, setWasShown] = useState(false);
  if (firstRun && !isDone && wantsList && !wasShown) setWasShown(true);
  const hide = () => {
    setHidden(true);
    change({ checklist: null });
  };
  const show = () => {
    setHidden(false);
    change({ checklist: "1" });
  };
  if (wantsList && !firstRun && !error)
    return (
      <Page title="Overview">
        <Head title="Overview" />
        <Loading what="the overview" />
      </Page>
    );
  if (wantsList && firstRun && (isAsked || !isDone || wasShown))
    return <FirstRunScreen firstRun={firstRun} onHide={hide} />;
  return <TodayScreen onShowChecklist={show} />;
}
