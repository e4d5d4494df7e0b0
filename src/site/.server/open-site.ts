/** The room: the site's pages, and the command-line tool that it hands out. */
import type { RoomPlan } from "#platform/house/plan.ts";
import { createRoom, type Mount } from "#platform/house/room.ts";
import type { StaticFiles } from "#platform/http/static-files.ts";
import { cliMount } from "./cli-downloads.ts";
import { createSiteApp, type SiteAppOptions } from "./site-app.ts";
import type { SiteSource } from "../site-source.ts";

/** Where pages come from: a complete build, or the files that an author edits. */
export interface SitePages<Content> extends SiteAppOptions {
  /** What is served now. */
  content: () => Content;
  close?: () => Promise<void>;
}

interface SiteFloor<Content> {
  /** Answers a search of a page that is rendered with its results. */
  ask: (body: unknown) => Promise<unknown>;
  /** Serves another index of the site's pages from the next search on. */
  replaceIndex: (bytes: Uint8Array) => void;
  pages: () => Promise<{
    openPages: (search: {
      ask: SiteSource["search"];
      replaceIndex: (bytes: Uint8Array) => void;
    }) => Promise<SitePages<Content>>;
    cliFiles: StaticFiles;
    cliVersion: string;
  }>;
  /** Has the buildx that machines without one get from this server. */
  buildxFolder: string;
}

/** `Content` is what agents read of the pages. */
export const siteRoom = <Content>(): RoomPlan<
  SiteFloor<Content>,
  { content: () => Content },
  Record<never, never>
> => ({
  variables: {},
  migrations: [],
  sealed: [],
  async open({ pages: load, ask, replaceIndex, buildxFolder }) {
    const { openPages, cliFiles: files, cliVersion: version } = await load();
    // Both providers answer in the same protocol.
    const pages = await openPages({ ask: ask as SiteSource["search"], replaceIndex });
    const mounts = [cliMount({ files, version, buildxFolder }), siteMount(pages)];
    return {
      room: createRoom("site", { mounts, ...(pages.close && { close: pages.close }) }),
      gives: { content: pages.content },
    };
  },
});

/** @param site read again for every request: in development its files change */
export const siteMount = (site: SiteAppOptions): Mount => ({
  part: "site",
  paths: ["/*"],
  takesTurns: true,
  serve: (edge) => createSiteApp(site, edge),
});
