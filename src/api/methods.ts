/** Every method of the API, including those of parts that do not exist yet. */
import {
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  addressOfMethod,
  type Method,
  type MethodTable,
  type ServiceMethods,
  type StreamMethod,
} from "./calls/call.ts";
import { rule } from "./gen/millrace/options/v1/options_pb.ts";
import { AccountService } from "./gen/millrace/v1/account_service_pb.ts";
import { BuildService } from "./gen/millrace/v1/build_service_pb.ts";
import { BuilderService } from "./gen/millrace/v1/builder_service_pb.ts";
import { CacheService } from "./gen/millrace/v1/cache_service_pb.ts";
import { ImageService } from "./gen/millrace/v1/image_service_pb.ts";
import { MirrorService } from "./gen/millrace/v1/mirror_service_pb.ts";
import { OrganizationService } from "./gen/millrace/v1/organization_service_pb.ts";
import { ProjectService } from "./gen/millrace/v1/project_service_pb.ts";
import { RunnerService } from "./gen/millrace/v1/runner_service_pb.ts";
import { SessionService } from "./gen/millrace/v1/session_service_pb.ts";
import { TokenService } from "./gen/millrace/v1/token_service_pb.ts";
import { UsageService } from "./gen/millrace/v1/usage_service_pb.ts";
import { buildMethods } from "./services/build.ts";
import { builderMethods } from "./services/builder.ts";
import { accountMethods } from "./services/account.ts";
import { cacheMethods } from "./services/cache.ts";
import { imageMethods } from "./services/image.ts";
import { mirrorMethods } from "./services/mirror.ts";
import { organizationMethods } from "./services/organization.ts";
import { projectMethods } from "./services/project.ts";
import { exchangeOidcTokenMethod, tokenMethods } from "./services/token.ts";
import { usageMethods } from "./services/usage.ts";

type PublicMethod = Extract<Method, { isPublic: true }>;
type TokenMethod = Extract<Method, { isPublic: false }>;

const always = () => true;
const never = () => false;

/**
 * Dangerous acts: they give away rights, or destroy what cannot be made again. For some methods this depends on the request,
 * and on nothing else: the current state may change a moment later. A test has a decision for each method (decision 058).
 */
const GUARDED = new Map<DescMethod, (request: Message) => boolean>([
  [AccountService.method.deletePasskey, always],
  when(AccountService.method.update, ({ mail }) => mail !== undefined),
  // Its certificate writes to the project's layer cache.
  [BuilderService.method.getEndpoint, always],
  [CacheService.method.purge, always],
  [CacheService.method.reset, always],
  [ImageService.method.delete, always],
  // An image that loses its only tag is deleted.
  [ImageService.method.tag, always],
  [MirrorService.method.delete, always],
  [MirrorService.method.set, always],
  // A new member has their own sign-in, and makes tokens with it.
  [OrganizationService.method.createInvitation, always],
  [OrganizationService.method.delete, always],
  [OrganizationService.method.removeMember, always],
  [OrganizationService.method.turnOffTwoStep, always],
  [OrganizationService.method.updateMember, always],
  [ProjectService.method.delete, always],
  [ProjectService.method.resetCache, always],
  when(
    ProjectService.method.update,
    ({ trustRelationships, clearTrustRelationships, cacheSizeBytes, retentionDays }) =>
      trustRelationships.length > 0 ||
      clearTrustRelationships ||
      // A smaller value than now removes layers.
      cacheSizeBytes !== undefined ||
      retentionDays !== undefined,
  ),
  when(TokenService.method.create, ({ readOnly }) => !readOnly),
]);

/** For a method whose request decides. */
function when<Input extends DescMessage>(
  desc: DescMethod & { input: Input },
  isDangerous: (request: MessageShape<Input>) => boolean,
): [DescMethod, (request: Message) => boolean] {
  // Callers pass the message of `desc.input`.
  return [desc, isDangerous as (request: Message) => boolean];
}

/** Subject and verb of the message about the missing part of a service. */
const MISSING: readonly [DescService, string][] = [
  [RunnerService, "CI runners are"],
  [SessionService, "Agents are"],
];

export function createMethodTable(): MethodTable {
  const table: MethodTable = new Map();
  const add = (method: Method) => table.set(addressOfMethod(method.desc), method);
  const addMissing = (desc: DescMethod, part: string) =>
    add({ desc, isPublic: false, isCreate: false, isUrgent: false, isGuarded: never, run: refuse(part) });

  addService(add, AccountService, accountMethods);
  addService(add, OrganizationService, organizationMethods);
  addService(add, ProjectService, projectMethods);
  addService(add, TokenService, tokenMethods);
  addService(add, UsageService, usageMethods);
  addService(add, BuildService, buildMethods);
  addService(add, BuilderService, builderMethods);
  addService(add, CacheService, cacheMethods);
  addService(add, ImageService, imageMethods);
  addService(add, MirrorService, mirrorMethods);
  const { exchangeOidcToken } = TokenService.method;
  // See below.
  add({ desc: exchangeOidcToken, isPublic: true, run: exchangeOidcTokenMethod as PublicMethod["run"] });
  for (const [service, part] of MISSING) for (const desc of service.methods) addMissing(desc, part);
  return table;
}

function addService<Service extends DescService>(
  add: (method: Method) => unknown,
  service: Service,
  methods: Partial<ServiceMethods<Service>>,
): void {
  for (const [name, run] of Object.entries(methods)) {
    const desc = service.method[name]!;
    const { creates, urgent } = getOption(desc, rule);
    const shared = {
      desc,
      isPublic: false as const,
      isCreate: creates,
      isUrgent: urgent,
      isGuarded: GUARDED.get(desc) ?? never,
    };
    // Callers pass the message of `desc.input`.
    if (desc.methodKind === "unary") add({ ...shared, run: run as unknown as TokenMethod["run"] });
    else add({ ...shared, run: refuse("One answer of a stream is"), stream: run as unknown as StreamMethod });
  }
}

const refuse = (part: string) => () =>
  Promise.reject(new ConnectError(`${part} not part of this server yet.`, Code.Unimplemented));
