/** Turns of requests whose part has limits of its own: it takes them itself, once its limits have let a request through. */

/** @returns nothing when it may be answered, or a refusal */
type TakeTurn = () => Promise<Response | undefined>;

const offered = new WeakMap<Request, TakeTurn>();

export const offerTurn = (request: Request, take: TakeTurn): void => void offered.set(request, take);

/** At once where nobody offers one. */
export const takeOfferedTurn: (request: Request) => Promise<Response | undefined> = async (request) =>
  offered.get(request)?.();
