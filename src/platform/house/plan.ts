/**
 * The list of rooms, as a chain in which each room receives what earlier rooms give:
 *
 *     emptyHouse<Floor>().room(accountRoom).room(cacheRoom)
 *
 * A room that needs something that no earlier room gives does not compile.
 */
import type { Migration } from "../database/migration.ts";
import type { SealedColumn } from "../seal/seal.ts";
import type { Opened } from "./open-or-close.ts";
import type { Room } from "./room.ts";
import type { ServerEnvironment } from "./server-variables.ts";
import type { Values, Variables } from "../environment/variables.ts";

/** A room's export: how to open it, and what must be known before. */
export interface RoomPlan<Needs, Gives extends object, Declared extends Variables> {
  variables: Declared;
  /** Migrations of its records. Landed migrations are never edited. */
  migrations: readonly Migration[];
  /** Columns of its records that the secret key encrypts. */
  sealed: readonly SealedColumn[];
  open: (floor: Needs, env: Values<Declared> & ServerEnvironment) => Promise<OpenedRoom<Gives>>;
}

export interface OpenedRoom<Gives extends object> {
  room: Room;
  /** For later rooms. */
  gives: Gives;
}

export interface House<Floor extends object, Given extends object, Declared extends Variables> {
  /** In the order of opening. */
  plans: readonly Pick<AnyPlan, "variables" | "migrations" | "sealed">[];
  variables: Declared;
  migrations: readonly Migration[];
  sealed: readonly SealedColumn[];
  /** Adds a room after all others. */
  room: <Gives extends object, Own extends Variables>(
    plan: RoomPlan<Floor & Given, Gives, Own>,
  ) => House<Floor, Given & Gives, Declared & Own>;
  /** Opens the rooms in sequence. @throws a room's error; `opened` closes the rooms that are open */
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
