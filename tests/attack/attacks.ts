/** Every attack, in the order of the threat model. */
import type { Attack } from "./attack.ts";
import { regularExpressions } from "./attacks/01-regular-expressions.ts";
import { workAfterMatching } from "./attacks/02-work-after-matching.ts";
import { largeAnswers } from "./attacks/03-large-answers.ts";
import { deepRecordings } from "./attacks/04-deep-recordings.ts";
import { floodsOfOneClient } from "./attacks/05-floods.ts";
import { killedSwaps } from "./attacks/06-killed-swaps.ts";
import { damagedIndex } from "./attacks/07-damaged-index.ts";
import { twoServers } from "./attacks/08-two-servers.ts";
import { acknowledged } from "./attacks/09-acknowledged.ts";
import { builtInIndex } from "./attacks/10-built-in-index.ts";
import { feedback } from "./attacks/11-feedback.ts";
import { consoleBehindProxy } from "./attacks/12-console.ts";
import { otherIndexes } from "./attacks/13-other-indexes.ts";
import { lockOut } from "./attacks/14-sign-in.ts";
import { injectedMarkup } from "./attacks/15-injected-markup.ts";
import { signals } from "./attacks/16-signals.ts";
import { crowds } from "./attacks/17-crowds.ts";
import { manners } from "./attacks/18-manners.ts";
import { hosts } from "./attacks/18-hosts.ts";
import { rapidResets } from "./attacks/19-rapid-resets.ts";
import { sessions } from "./attacks/19-sessions.ts";
import { strangersAtSignIn } from "./attacks/20-accounts.ts";
import { largeMessages } from "./attacks/21-large-messages.ts";
import { hostilePushes } from "./attacks/22-registry.ts";
import { cutConnections } from "./attacks/22-registry-connections.ts";
import { hostileUpstreams } from "./attacks/23-upstreams.ts";
import { buildersPort } from "./attacks/24-builders-port.ts";
import { agents } from "./attacks/25-agents.ts";
import { richMessages } from "./attacks/26-rich-messages.ts";
import { strangersDisk } from "./attacks/27-strangers-disk.ts";
import { fullDisk } from "./attacks/28-full-disk.ts";
import { networks } from "./attacks/30-networks.ts";
import { signInFloods } from "./attacks/31-sign-in-floods.ts";
import { crowdedHouse } from "./attacks/32-crowded-house.ts";
import { secondStep } from "./attacks/33-second-step.ts";
import { wrongClock } from "./attacks/35-wrong-clock.ts";
import { powerCuts } from "./attacks/36-power-cuts.ts";
import { foreignText } from "./attacks/37-foreign-text.ts";
import { runKills } from "./kills.ts";

const killedBuilds: Attack = {
  item: 6,
  name: "builds that are killed",
  bound: "A build that was killed at any point is finished by the next start.",
  isLong: true,
  run: (stage) => runKills(stage, "builds"),
};

export const attacks: Attack[] = [
  regularExpressions,
  workAfterMatching,
  largeAnswers,
  deepRecordings,
  floodsOfOneClient,
  killedSwaps,
  killedBuilds,
  damagedIndex,
  twoServers,
  acknowledged,
  builtInIndex,
  feedback,
  consoleBehindProxy,
  otherIndexes,
  lockOut,
  injectedMarkup,
  signals,
  crowds,
  manners,
  hosts,
  sessions,
  rapidResets,
  strangersAtSignIn,
  largeMessages,
  hostilePushes,
  cutConnections,
  hostileUpstreams,
  buildersPort,
  agents,
  richMessages,
  strangersDisk,
  fullDisk,
  networks,
  signInFloods,
  crowdedHouse,
  secondStep,
  wrongClock,
  powerCuts,
  foreignText,
];
