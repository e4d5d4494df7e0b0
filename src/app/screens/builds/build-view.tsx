import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { Build } from "#api/gen/json-types.ts";
import { announce } from "#ui/announce.ts";
import { useAddress } from "../../data/address.ts";
import { useOrganization } from "../../data/organization.ts";
import { useOpened } from "../../data/use-opened.ts";
import { formatTook } from "../../format.ts";
import { Page } from "../../page/page.tsx";
import { BuildHead } from "./build-head.tsx";
import { buildQuery } from "./build-queries.ts";
import { tookOf } from "./build-words.ts";
import { DoneBuild } from "./done-build.tsx";
import { LiveBuild } from "./live-build.tsx";
import { toModel } from "./to-model.ts";
import { useBuildActions } from "./use-build-actions.ts";
import { useBuildFeed, useStoppedAt } from "./use-build-feed.ts";
import type { View } from "./view.ts";

const BuildDialogs = lazy(async () => ({ default: (await import("./build-dialogs.tsx")).BuildDialogs }));

export function BuildView({ build: read }: { build: Build }) {
  // A page that has shown the running build keeps its order when the build ends.
  const [isDone] = useState(() => read.state === "succeeded");
  const view = useView(read, isDone);
  const { build } = view;
  const { hash } = useLocation();
  const asked = useOpened("do");
  const { actions, above } = useBuildActions({ build, isDone, ask: asked.open });
  useEndNews(build);
  // Lines in the address are in view when the log is.
  useEffect(() => {
    if (/^#L\d/.test(hash)) document.querySelector('[role="log"]')?.scrollIntoView({ block: "nearest" });
  }, [hash]);
  return (
    <Page title={build.id} above={above} actions={actions} isFull={!isDone}>
      <BuildHead build={build} onAsk={asked.open} />
      {isDone ? <DoneBuild view={view} /> : <LiveBuild view={view} />}
      <Suspense fallback={null}>
        {asked.value && <BuildDialogs question={asked.value} view={view} onClose={asked.close} />}
      </Suspense>
    </Page>
  );
}

function useView(read: Build, isDone: boolean): View {
  const { name } = useOrganization();
  const { params, change } = useAddress();
  const { hash } = useLocation();
  const tab = params.get("tab") ?? (isDone && /^#L\d/.test(hash) ? "log" : "");
  const snapshot = useBuildFeed(read, !isDone || tab === "log");
  const against = params.get("against") ?? "";
  const { data: other } = useQuery({ ...buildQuery(name, against), enabled: against !== "" });
  const { steps } = snapshot.model;
  return {
    ...snapshot,
    ...useStoppedAt(),
    tab,
    setTab: (next) => change({ tab: next }),
    current: steps.find(({ number }) => String(number) === params.get("step")),
    ...(other && other.id !== read.id && { other: { build: toModel(other, other.steps), name: other.id } }),
  };
}

/** Announced once, for a build that was seen running. */
function useEndNews(build: Build): void {
  const former = useRef(build.state);
  useEffect(() => {
    if (former.current === build.state) return;
    former.current = build.state;
    const took = tookOf(build);
    const time = took === null ? "" : ` ${build.state === "succeeded" ? "in" : "after"} ${formatTook(took)}`;
    announce(`Build ${build.state}${time}`);
  }, [build]);
}
