import type { ChannelPart } from "../channel/channel.tsx";
import type { Build, Step } from "./build-model.ts";

const PARTS: Record<Step["state"], ChannelPart> = {
  waiting: "waiting",
  running: "running",
  cached: "cached",
  worked: "worked",
  failed: "failed",
  canceled: "empty",
};

/** The steps of a build for its channel: one cell each, cached ones before the others. */
export function channelOf({ steps }: Build): ChannelPart[] {
  const order: readonly ChannelPart[] = ["cached", "worked", "running", "failed", "empty", "waiting"];
  return steps
    .map(({ state }) => PARTS[state])
    .sort((one, other) => order.indexOf(one) - order.indexOf(other));
}
