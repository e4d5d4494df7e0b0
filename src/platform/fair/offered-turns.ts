/** Turns of requests whose part has its own limits: it takes a turn itself, once its limits have admitted a request. */

/** @returns nothing when the request may be answered, or a refusal */
type TakeTurn = () => Promise<Response | undefined>;

const offered = new WeakMap<Request, TakeTurn>();

export const offerTurn = (request: Request, take: TakeTurn): void => void offered.set(request, take);

/** Resolves immediately if no turn is offered. */
export const takeOfferedTurn: (request: Request) => Promise<Response | undefined> = async (request) =>
  offered.get(request)?.();
