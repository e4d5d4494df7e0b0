/** The build tools that the cache serves. */
import { CACHE_TOOLS as MADE } from "./gen/tools.ts";

export interface CacheTool {
  id: string;
  name: string;
  /** The tool's protocol for the cache. */
  how: string;
  /** Requested entries, and the work that they save. */
  saves: string;
  /** Whether it uses gRPC, alone or besides HTTP. */
  grpc?: boolean;
}

export const CACHE_TOOLS: readonly CacheTool[] = MADE;

export const pageOf = ({ id }: CacheTool): string => `/docs/cache/reference/${id}`;

export const findTool = (id: string | undefined): CacheTool | undefined =>
  CACHE_TOOLS.find((each) => each.id === id);

/** For tables; a tool that is newer than this page keeps its id. */
export const nameOfTool = (id: string): string => findTool(id)?.name ?? id;
