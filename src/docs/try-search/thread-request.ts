import type { TrialRequest } from "./change-index.ts";
import type { EffectRequest } from "./measure-effect.ts";
import type { ProposalRequest } from "./propose.ts";

/** One question for the thread, named by its `kind`. */
export type ThreadRequest = TrialRequest | EffectRequest | ProposalRequest;
