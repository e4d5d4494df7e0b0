/**
 * The list of rooms, as a chain in which each room gets what those before it give:
 *
 *     emptyHouse<Floor>().room(accountRoom).room(cacheRoom)
 *
 * A room that needs what no room before it gives does not compile.
 */
import type { Migration } from "../database/migration.ts";
import type { SealedColumn } from "../seal/seal.ts";
import type { Opened } from "./open-or-close.ts";
import type { Room } from "./room.ts";
import type { ServerEnvironment } from "./server-variables.ts";
import type { Values, Variables } from "../environment/variables.ts";

/** What a room exports: how it is opened, and what has to be known of it before. */
export interface RoomPlan<Needs, Gives extends object, Declared extends Variables> {
  variables: Declared;
  /** Of its records. Those that have landed are never edited. */
  migrations: readonly Migration[];
  /** Columns of its records that the secret key encrypts. */
  sealed: readonly SealedColumn[];
  open: (floor: Needs, env: Values<Declared> & ServerEnvironment) => Promise<OpenedRoom<Gives>>;
}

export interface OpenedRoom<Gives extends object> {
  room: Room;
  /** For the rooms after it. */
  gives: Gives;
}

export interface House<Floor extends object, Given extends object, Declared extends Variables> {
  /** In the order in which they open. */
  plans: readonly Pick<AnyPlan, "variables" | "migrations" | "sealed">[];
  variables: Declared;
  migrations: readonly Migration[];
  sealed: readonly SealedColumn[];
  /** Adds a room after all others. */
  room: <Gives extends object, Own extends Variables>(
    plan: RoomPlan<Floor & Given, Gives, Own>,
  ) => House<Floor, Given & Gives, Declared & Own>;
  /** Opens the rooms one after the other. @throws what a room throws; `opened` closes those that are open */
  open: (
    floor: Floor,
    env: Values<Declared> & ServerEnvironment,
    opened: Opened,
  ) => Promise<OpenedHouse<Given>>;
}

export interface OpenedHouse<Given extends object> {
  rooms: readonly Room[];
  given: Given;
}

type AnyPlan = RoomPlan<never, object, Variables>;

export function emptyHouse<Floor extends object>(): House<Floor, object, Record<never, never>> {
  return houseOf<Floor, object, Record<never, never>>([]);
}

function houseOf<Floor extends object, Given extends object, Declared extends Variables>(
  plans: readonly AnyPlan[],
): House<Floor, Given, Declared> {
  return {
    plans,
    variables: Object.assign({}, ...plans.map(({ variables }) => variables)) as Declared,
    migrations: plans.flatMap(({ migrations }) => migrations),
    sealed: plans.flatMap(({ sealed }) => sealed),
    room: (plan) => houseOf([...plans, plan as unknown as AnyPlan]),
    async open(floor, env, opened) {
      const rooms: Room[] = [];
      let given: object = {};
      for (const { open } of plans) {
        const { room, gives } = await open({ ...floor, ...given } as never, env as never);
        opened.add(room.close);
        rooms.push(room);
        given = { ...given, ...gives };
      }
      return { rooms, given: given as Given };
    },
  };
}
