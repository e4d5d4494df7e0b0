import type { Components } from "#docs/content/blocks/component.ts";
import { errorTable, methodTable } from "./api-tables.ts";
import { callout } from "./callout.ts";
import { cacheTools } from "./cache-tools.ts";
import { card, cards } from "./cards.ts";
import { commandTable, flagTable } from "./cli-tables.ts";
import { diagram } from "./diagram.ts";
import {
  envTable,
  fact,
  limitTable,
  notSupported,
  partTable,
  providerTable,
  runnerTable,
} from "./fact-tables.ts";
import { faq, question } from "./faq.ts";
import { figure } from "./figure.ts";
import { partNames, preview, state } from "./part-state.ts";
import { searchRouteTable } from "./search-route-table.ts";
import { step, steps } from "./steps.ts";
import { tab, tabs } from "./tabs.ts";
import { toolVersion } from "./tool-version.ts";

/** The components for authors, by name. CONTRIBUTING.md shows how to write them. */
export const components: Components = {
  elements: {
    Callout: callout,
    Steps: steps,
    Step: step,
    Tabs: tabs,
    Tab: tab,
    Cards: cards,
    Card: card,
    Figure: figure,
    FAQ: faq,
    Question: question,
    FlagTable: flagTable,
    CommandTable: commandTable,
    MethodTable: methodTable,
    ErrorTable: errorTable,
    RunnerTable: runnerTable,
    CacheTools: cacheTools,
    ToolVersion: toolVersion,
    EnvTable: envTable,
    LimitTable: limitTable,
    NotSupported: notSupported,
    ProviderTable: providerTable,
    SearchRouteTable: searchRouteTable,
    PartTable: partTable,
    PartNames: partNames,
    Preview: preview,
    State: state,
    Fact: fact,
  },
  fences: { diagram },
};
