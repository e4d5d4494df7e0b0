/** Made from proto/ by `npm run generate`: what the API takes and answers, as JSON. Do not edit. */
/* eslint-disable */

export interface AccountServiceDeletePasskeyRequest {
  passkey_id?: string;
}

export type AccountServiceDeletePasskeyResponse = Record<string, never>;

export interface AccountServiceEndSignInRequest {
  sign_in_id?: string;
  all?: boolean;
}

export type AccountServiceEndSignInResponse = Record<string, never>;

export interface AccountServiceListPasskeysRequest {
  page_size?: number;
  page_token?: string;
}

export interface AccountServiceListPasskeysResponse {
  passkeys: Passkey[];
  next_page_token: string;
}

export interface AccountServiceListSignInsRequest {
  page_size?: number;
  page_token?: string;
}

export interface AccountServiceListSignInsResponse {
  sign_ins: SignIn[];
  next_page_token: string;
}

export interface AccountServiceUpdateRequest {
  name?: string;
  mail?: string;
}

export interface AccountServiceUpdateResponse {
  user?: User;
}

export type AccountServiceWhoAmIRequest = Record<string, never>;

export interface AccountServiceWhoAmIResponse {
  server: string;
  version: string;
  token_type: string;
  token_id: string;
  read_only: boolean;
  user_id: string;
  user: string;
  mail: string;
  role: string;
  organization: string;
  organization_id: string;
  project_id: string;
  expires_at?: string;
  is_operator: boolean;
}

export interface AuditEvent {
  id: string;
  time?: string;
  action: string;
  actor: string;
  actor_id: string;
  target: string;
  target_id: string;
  address: string;
  details: Record<string, string>;
}

export interface Build {
  id: string;
  project_id: string;
  state: string;
  created_at?: string;
  started_at?: string;
  finished_at?: string;
  steps_total: number;
  steps_cached: number;
  steps: Step[];
  image: string;
  error: string;
  labels: Record<string, string>;
  organization: string;
  project: string;
  digest: string;
  branch: string;
  commit_sha: string;
  created_by: string;
  platforms: string[];
  log_lines: string;
  saved_ms: string;
  usual_ms: string;
  warnings: BuildWarning[];
  attestations: BuildAttestation[];
  inputs?: BuildInputs;
  critical_path: string[];
  regression?: BuildRegression;
  canceled_by: string;
  save_tags: string[];
  waits_for: string;
  steps_done: number;
  context_bytes: string;
  source?: BuildSource;
  job?: BuildJob;
  failure?: BuildFailure;
}

export interface BuildAttestation {
  type: string;
  platform: string;
  digest: string;
}

export interface BuildFailure {
  step_id: string;
  compared_builds: number;
  failed_builds: number;
  last_failed_build_id: string;
}

export interface BuildInputs {
  frontend: string;
  dockerfile: string;
  target: string;
  arguments: Record<string, string>;
  context: string;
  named_contexts: Record<string, string>;
}

export interface BuildJob {
  subject: string;
  pull_request: string;
  pull_request_url: string;
  workflow: string;
  run_url: string;
}

export interface BuildRegression {
  percent: number;
  compared_builds: number;
  step_id: string;
  step_name: string;
  since_commit: string;
}

export interface BuildServiceCancelBuildRequest {
  build_id?: string;
}

export interface BuildServiceCancelBuildResponse {
  build?: Build;
}

export interface BuildServiceCreateBuildRequest {
  project_id?: string;
  save?: boolean;
  save_tags?: string[];
  labels?: Record<string, string>;
  branch?: string;
  commit_sha?: string;
}

export interface BuildServiceCreateBuildResponse {
  build?: Build;
}

export interface BuildServiceExplainStepRequest {
  build_id?: string;
  step_id?: string;
}

export interface BuildServiceExplainStepResponse {
  summary: string;
  causes: StepCause[];
  compared_build_id: string;
}

export interface BuildServiceFinishBuildRequest {
  build_id?: string;
  succeeded?: boolean;
  error?: string;
  digest?: string;
}

export interface BuildServiceFinishBuildResponse {
  build?: Build;
}

export interface BuildServiceGetBuildRequest {
  build_id?: string;
}

export interface BuildServiceGetBuildResponse {
  build?: Build;
}

export interface BuildServiceListBuildsRequest {
  project_id?: string;
  states?: string[];
  page_size?: number;
  page_token?: string;
  query?: string;
  branch?: string;
  created_by?: string;
  platform?: string;
  sort?: string;
}

export interface BuildServiceListBuildsResponse {
  builds: Build[];
  next_page_token: string;
  counts: Record<string, number>;
}

export interface BuildSource {
  file: string;
  first_line: number;
  lines: string[];
  failed_from: number;
  failed_to: number;
}

export interface BuildWarning {
  message: string;
  detail: string;
  url: string;
  file: string;
  line: number;
}

export interface BuilderServiceGetEndpointRequest {
  build_id?: string;
  platform?: string;
  tunnel?: boolean;
}

export interface BuilderServiceGetEndpointResponse {
  address: string;
  server_name: string;
  ca_certificate: string;
  client_certificate: string;
  client_key: string;
  expires_at?: string;
  tunnel_path: string;
  tunnel_token: string;
}

export type BuilderServiceListCapabilitiesRequest = Record<string, never>;

export interface BuilderServiceListCapabilitiesResponse {
  capabilities: Capability[];
  machines: Machine[];
}

export type BuilderServiceListLayerCachesRequest = Record<string, never>;

export interface BuilderServiceListLayerCachesResponse {
  projects: ProjectLayerCaches[];
}

export type BuilderServiceListPlatformsRequest = Record<string, never>;

export interface BuilderServiceListPlatformsResponse {
  platforms: string[];
}

export interface CacheCount {
  start_at?: string;
  hits: string;
  misses: string;
  read_bytes: string;
  written_bytes: string;
}

export interface CacheDifference {
  kind: string;
  name: string;
  before: string;
  after: string;
}

export interface CacheEntry {
  tool: string;
  key: string;
  size_bytes: string;
  written_at?: string;
  used_at?: string;
  writer: string;
}

export interface CacheHitRate {
  quota_bytes: string;
  hits: string;
}

export interface CacheMiss {
  key: string;
  missed_at?: string;
  times: string;
  reason: string;
  target: string;
  mnemonic: string;
  invocation: string;
  written_at?: string;
  removed_at?: string;
  removed_because: string;
  nearest_key: string;
  nearest_at?: string;
  differences: CacheDifference[];
}

export interface CacheNamespace {
  tool: string;
  entries: string;
  size_bytes: string;
  quota_bytes: string;
  hits: string;
  misses: string;
  counts: CacheCount[];
  last_request_at?: string;
}

export interface CacheServiceGetUsageRequest {
  tool?: string;
  interval?: string;
}

export interface CacheServiceGetUsageResponse {
  namespaces: CacheNamespace[];
}

export interface CacheServiceListLargeEntriesRequest {
  tool?: string;
}

export interface CacheServiceListLargeEntriesResponse {
  entries: CacheEntry[];
}

export interface CacheServiceListMissesRequest {
  tool?: string;
  page_size?: number;
  page_token?: string;
}

export interface CacheServiceListMissesResponse {
  misses: CacheMiss[];
  next_page_token: string;
}

export interface CacheServiceListWritersRequest {
  tool?: string;
}

export interface CacheServiceListWritersResponse {
  writers: CacheWriter[];
}

export interface CacheServicePurgeRequest {
  writer_id?: string;
  token_id?: string;
}

export interface CacheServicePurgeResponse {
  entries: string;
  freed_bytes: string;
}

export interface CacheServiceResetRequest {
  tool?: string;
}

export interface CacheServiceResetResponse {
  freed_bytes: string;
}

export interface CacheServiceSimulateRequest {
  tool?: string;
}

export interface CacheServiceSimulateResponse {
  rates: CacheHitRate[];
  quota_bytes: string;
  requests: string;
  sampled_requests: string;
  since?: string;
}

export interface CacheWriter {
  id: string;
  token_id: string;
  name: string;
  kind: string;
  project_id: string;
  subject: string;
  commit_sha: string;
  ref: string;
  run_url: string;
  first_at?: string;
  last_at?: string;
  entries: string;
}

export interface Capability {
  name: string;
  state: string;
  lost: string;
  command: string;
  machine: string;
}

export interface ClaimCheck {
  claim: string;
  wanted: string;
  got: string;
  matches: boolean;
  is_missing: boolean;
}

export interface Exchange {
  id: string;
  time?: string;
  project_id: string;
  issuer: string;
  subject: string;
  claims: Record<string, string>;
  refused_because: string;
  differences: ClaimCheck[];
  token_id: string;
  address: string;
}

export interface Image {
  digest: string;
  tags: string[];
  platforms: string[];
  size_bytes: string;
  build_id: string;
  created_at?: string;
  expires_at?: string;
  media_type: string;
  own_bytes: string;
  pushed_by: string;
  pulls: string;
  pulled_at?: string;
  pulled_by: string;
}

export interface ImageLayer {
  digest: string;
  size_bytes: string;
  created_by: string;
  is_shared: boolean;
}

export interface ImagePlatform {
  platform: string;
  digest: string;
  size_bytes: string;
  layers: ImageLayer[];
}

export interface ImageReferrer {
  digest: string;
  artifact_type: string;
  name: string;
  size_bytes: string;
}

export interface ImageRepository {
  project_id: string;
  name: string;
  tags: string;
  saved_builds: string;
  stored_bytes: string;
  image_bytes: string;
  pushed_at?: string;
}

export interface ImageServiceDeleteRequest {
  project_id?: string;
  reference?: string;
}

export interface ImageServiceDeleteResponse {
  freed_bytes: string;
}

export interface ImageServiceGetRequest {
  project_id?: string;
  reference?: string;
}

export interface ImageServiceGetResponse {
  image?: Image;
  platforms: ImagePlatform[];
  referrers: ImageReferrer[];
  commit_sha: string;
  freed_bytes: string;
  repository: string;
}

export interface ImageServiceListRepositoriesRequest {
  page_size?: number;
  page_token?: string;
}

export interface ImageServiceListRepositoriesResponse {
  repositories: ImageRepository[];
  next_page_token: string;
}

export interface ImageServiceListRequest {
  project_id?: string;
  page_size?: number;
  page_token?: string;
  query?: string;
  without_saved_builds?: boolean;
}

export interface ImageServiceListResponse {
  images: Image[];
  next_page_token: string;
}

export interface ImageServiceTagRequest {
  project_id?: string;
  reference?: string;
  tag?: string;
}

export interface ImageServiceTagResponse {
  image?: Image;
}

export interface Invitation {
  id: string;
  mail: string;
  role: string;
  invited_by: string;
  created_at?: string;
  expires_at?: string;
}

export interface Job {
  id: string;
  repository: string;
  workflow: string;
  label: string;
  state: string;
  queued_at?: string;
  started_at?: string;
  finished_at?: string;
  url: string;
}

export interface LayerCache {
  platform: string;
  size_bytes: string;
  quota_bytes: string;
  layers: string;
}

export interface Machine {
  name: string;
  is_here: boolean;
  heard_at?: string;
  platforms: string[];
  cpus: number;
  memory_bytes: string;
  free_bytes: string;
  builders: MachineBuilder[];
}

export interface MachineBuilder {
  project_id: string;
  platform: string;
  cpus: number;
  is_warm: boolean;
}

export interface Member {
  user_id: string;
  name: string;
  mail: string;
  role: string;
  created_at?: string;
  last_seen_at?: string;
  sign_in_methods: string[];
  two_step: boolean;
}

export interface MirrorCredentials {
  host: string;
  username: string;
  set_by: string;
  set_at?: string;
}

export interface MirrorServiceDeleteRequest {
  host?: string;
}

export type MirrorServiceDeleteResponse = Record<string, never>;

export type MirrorServiceListRequest = Record<string, never>;

export interface MirrorServiceListResponse {
  credentials: MirrorCredentials[];
}

export interface MirrorServiceSetRequest {
  host?: string;
  username?: string;
  password?: string;
}

export interface MirrorServiceSetResponse {
  credentials?: MirrorCredentials;
}

export interface Organization {
  id: string;
  name: string;
  role: string;
  created_at?: string;
}

export interface OrganizationServiceCreateInvitationRequest {
  organization?: string;
  mail?: string;
  role?: string;
}

export interface OrganizationServiceCreateInvitationResponse {
  invitation?: Invitation;
  url: string;
}

export interface OrganizationServiceCreateRequest {
  name?: string;
}

export interface OrganizationServiceCreateResponse {
  organization?: Organization;
}

export interface OrganizationServiceDeleteRequest {
  organization?: string;
}

export type OrganizationServiceDeleteResponse = Record<string, never>;

export interface OrganizationServiceGetRequest {
  organization?: string;
}

export interface OrganizationServiceGetResponse {
  organization?: Organization;
}

export interface OrganizationServiceListAuditEventsRequest {
  organization?: string;
  action?: string;
  page_size?: number;
  page_token?: string;
  actor_id?: string;
  address?: string;
  query?: string;
  from?: string;
  to?: string;
}

export interface OrganizationServiceListAuditEventsResponse {
  events: AuditEvent[];
  next_page_token: string;
}

export interface OrganizationServiceListInvitationsRequest {
  organization?: string;
  page_size?: number;
  page_token?: string;
}

export interface OrganizationServiceListInvitationsResponse {
  invitations: Invitation[];
  next_page_token: string;
}

export interface OrganizationServiceListMembersRequest {
  organization?: string;
  page_size?: number;
  page_token?: string;
}

export interface OrganizationServiceListMembersResponse {
  members: Member[];
  next_page_token: string;
}

export interface OrganizationServiceListRequest {
  page_size?: number;
  page_token?: string;
}

export interface OrganizationServiceListResponse {
  organizations: Organization[];
  next_page_token: string;
}

export interface OrganizationServiceRemoveMemberRequest {
  organization?: string;
  user_id?: string;
}

export type OrganizationServiceRemoveMemberResponse = Record<string, never>;

export interface OrganizationServiceRevokeInvitationRequest {
  invitation_id?: string;
}

export type OrganizationServiceRevokeInvitationResponse = Record<string, never>;

export interface OrganizationServiceTurnOffTwoStepRequest {
  organization?: string;
  user_id?: string;
}

export type OrganizationServiceTurnOffTwoStepResponse = Record<string, never>;

export interface OrganizationServiceUpdateMemberRequest {
  organization?: string;
  user_id?: string;
  role?: string;
}

export interface OrganizationServiceUpdateMemberResponse {
  member?: Member;
}

export interface OrganizationServiceUpdateRequest {
  organization?: string;
  name?: string;
}

export interface OrganizationServiceUpdateResponse {
  organization?: Organization;
}

export interface Passkey {
  id: string;
  name: string;
  created_at?: string;
  last_used_at?: string;
  verifies_user: boolean;
}

export interface Project {
  id: string;
  name: string;
  builder_size: number;
  cache_size_bytes: string;
  retention_days: number;
  trust_relationships: TrustRelationship[];
  created_at?: string;
  revision: string;
  immutable_tags: string[];
  spoiled_cache?: SpoiledCache;
}

export interface ProjectLayerCaches {
  project_id: string;
  caches: LayerCache[];
}

export interface ProjectServiceCreateRequest {
  name?: string;
  builder_size?: number;
  cache_size_bytes?: string;
  retention_days?: number;
}

export interface ProjectServiceCreateResponse {
  project?: Project;
}

export interface ProjectServiceDeleteRequest {
  project_id?: string;
}

export type ProjectServiceDeleteResponse = Record<string, never>;

export interface ProjectServiceGetCacheUsageRequest {
  project_id?: string;
}

export interface ProjectServiceGetCacheUsageResponse {
  caches: LayerCache[];
}

export interface ProjectServiceGetRequest {
  project_id?: string;
}

export interface ProjectServiceGetResponse {
  project?: Project;
}

export interface ProjectServiceListRequest {
  page_size?: number;
  page_token?: string;
}

export interface ProjectServiceListResponse {
  projects: Project[];
  next_page_token: string;
}

export interface ProjectServiceResetCacheRequest {
  project_id?: string;
  platform?: string;
}

export interface ProjectServiceResetCacheResponse {
  freed_bytes: string;
}

export interface ProjectServiceTestTrustRequest {
  project_id?: string;
  trust_relationship?: TrustRelationship;
  oidc_token?: string;
}

export interface ProjectServiceTestTrustResponse {
  tests: TrustTest[];
}

export interface ProjectServiceUpdateRequest {
  project_id?: string;
  name?: string;
  builder_size?: number;
  cache_size_bytes?: string;
  retention_days?: number;
  trust_relationships?: TrustRelationship[];
  clear_trust_relationships?: boolean;
  revision?: string;
  immutable_tags?: string[];
  clear_immutable_tags?: boolean;
  clear_spoiled_cache?: boolean;
}

export interface ProjectServiceUpdateResponse {
  project?: Project;
}

export interface Runner {
  name: string;
  label: string;
  state: string;
  job_id: string;
  started_at?: string;
}

export interface RunnerServiceListJobsRequest {
  repository?: string;
  page_size?: number;
  page_token?: string;
}

export interface RunnerServiceListJobsResponse {
  jobs: Job[];
  next_page_token: string;
}

export interface RunnerServiceListRunnersRequest {
  page_size?: number;
  page_token?: string;
}

export interface RunnerServiceListRunnersResponse {
  runners: Runner[];
  next_page_token: string;
}

export interface Session {
  id: string;
  name: string;
  state: string;
  repository: string;
  branch: string;
  forked_from: string;
  url: string;
  created_at?: string;
}

export interface SessionServiceGetRequest {
  session_id?: string;
}

export interface SessionServiceGetResponse {
  session?: Session;
}

export interface SessionServiceListRequest {
  page_size?: number;
  page_token?: string;
}

export interface SessionServiceListResponse {
  sessions: Session[];
  next_page_token: string;
}

export interface SessionServiceStartRequest {
  repository?: string;
  branch?: string;
  prompt?: string;
  name?: string;
  resume?: string;
  fork?: string;
}

export interface SessionServiceStartResponse {
  session?: Session;
}

export interface SessionServiceStopRequest {
  session_id?: string;
}

export interface SessionServiceStopResponse {
  session?: Session;
}

export interface SignIn {
  id: string;
  browser: string;
  address: string;
  created_at?: string;
  last_used_at?: string;
  expires_at?: string;
  is_current: boolean;
}

export interface SpoiledCache {
  platforms: string[];
  since?: string;
  reset_at?: string;
  images: string[];
  has_more_images: boolean;
}

export interface Step {
  name: string;
  state: string;
  cached: boolean;
  started_at?: string;
  finished_at?: string;
  error: string;
  id: string;
  number: string;
  platform: string;
  inputs: string[];
  duration_ms: string;
  saved_ms: string;
  exit_code: number;
  log_lines: string;
}

export interface StepCause {
  kind: string;
  name: string;
  before: string;
  after: string;
}

export interface Token {
  id: string;
  name: string;
  type: string;
  project_id: string;
  read_only: boolean;
  owner: string;
  created_at?: string;
  last_used_at?: string;
  expires_at?: string;
  last_used_from: string;
}

export interface TokenServiceCreateRequest {
  name?: string;
  type?: string;
  project_id?: string;
  expires_at?: string;
  read_only?: boolean;
}

export interface TokenServiceCreateResponse {
  token?: Token;
  secret: string;
}

export interface TokenServiceExchangeOidcTokenRequest {
  project_id?: string;
  oidc_token?: string;
}

export interface TokenServiceExchangeOidcTokenResponse {
  secret: string;
  expires_at?: string;
}

export interface TokenServiceListExchangesRequest {
  project_id?: string;
  refused?: boolean;
  page_size?: number;
  page_token?: string;
}

export interface TokenServiceListExchangesResponse {
  exchanges: Exchange[];
  next_page_token: string;
}

export interface TokenServiceListRequest {
  page_size?: number;
  page_token?: string;
}

export interface TokenServiceListResponse {
  tokens: Token[];
  next_page_token: string;
}

export interface TokenServiceRestoreRequest {
  token_id?: string;
}

export interface TokenServiceRestoreResponse {
  token?: Token;
}

export interface TokenServiceRevokeRequest {
  token_id?: string;
}

export type TokenServiceRevokeResponse = Record<string, never>;

export interface TrustRelationship {
  issuer: string;
  claims: Record<string, string>;
  cache: string;
}

export interface TrustTest {
  exchange_id: string;
  subject: string;
  time?: string;
  matches: boolean;
  checks: ClaimCheck[];
}

export interface UsageDay {
  date: string;
  api_calls: string;
  job_tokens: string;
  refused_jobs: string;
}

export interface UsageServiceGetUsageRequest {
  from?: string;
  to?: string;
  project_id?: string;
}

export interface UsageServiceGetUsageResponse {
  api_calls: string;
  projects: string;
  members: string;
  builds: string;
  build_seconds: string;
  runner_seconds: string;
  sandbox_seconds: string;
  layer_cache_bytes: string;
  image_bytes: string;
  cache_bytes: string;
  days: UsageDay[];
  job_tokens: string;
  refused_jobs: string;
}

export interface User {
  id: string;
  name: string;
  mail: string;
  created_at?: string;
}

export interface Methods {
  "AccountService/DeletePasskey": {
    request: AccountServiceDeletePasskeyRequest;
    answer: AccountServiceDeletePasskeyResponse;
  };
  "AccountService/EndSignIn": {
    request: AccountServiceEndSignInRequest;
    answer: AccountServiceEndSignInResponse;
  };
  "AccountService/ListPasskeys": {
    request: AccountServiceListPasskeysRequest;
    answer: AccountServiceListPasskeysResponse;
  };
  "AccountService/ListSignIns": {
    request: AccountServiceListSignInsRequest;
    answer: AccountServiceListSignInsResponse;
  };
  "AccountService/Update": { request: AccountServiceUpdateRequest; answer: AccountServiceUpdateResponse };
  "AccountService/WhoAmI": { request: AccountServiceWhoAmIRequest; answer: AccountServiceWhoAmIResponse };
  "BuildService/CancelBuild": {
    request: BuildServiceCancelBuildRequest;
    answer: BuildServiceCancelBuildResponse;
  };
  "BuildService/CreateBuild": {
    request: BuildServiceCreateBuildRequest;
    answer: BuildServiceCreateBuildResponse;
  };
  "BuildService/ExplainStep": {
    request: BuildServiceExplainStepRequest;
    answer: BuildServiceExplainStepResponse;
  };
  "BuildService/FinishBuild": {
    request: BuildServiceFinishBuildRequest;
    answer: BuildServiceFinishBuildResponse;
  };
  "BuildService/GetBuild": { request: BuildServiceGetBuildRequest; answer: BuildServiceGetBuildResponse };
  "BuildService/ListBuilds": {
    request: BuildServiceListBuildsRequest;
    answer: BuildServiceListBuildsResponse;
  };
  "BuilderService/GetEndpoint": {
    request: BuilderServiceGetEndpointRequest;
    answer: BuilderServiceGetEndpointResponse;
  };
  "BuilderService/ListCapabilities": {
    request: BuilderServiceListCapabilitiesRequest;
    answer: BuilderServiceListCapabilitiesResponse;
  };
  "BuilderService/ListLayerCaches": {
    request: BuilderServiceListLayerCachesRequest;
    answer: BuilderServiceListLayerCachesResponse;
  };
  "BuilderService/ListPlatforms": {
    request: BuilderServiceListPlatformsRequest;
    answer: BuilderServiceListPlatformsResponse;
  };
  "CacheService/GetUsage": { request: CacheServiceGetUsageRequest; answer: CacheServiceGetUsageResponse };
  "CacheService/ListLargeEntries": {
    request: CacheServiceListLargeEntriesRequest;
    answer: CacheServiceListLargeEntriesResponse;
  };
  "CacheService/ListMisses": {
    request: CacheServiceListMissesRequest;
    answer: CacheServiceListMissesResponse;
  };
  "CacheService/ListWriters": {
    request: CacheServiceListWritersRequest;
    answer: CacheServiceListWritersResponse;
  };
  "CacheService/Purge": { request: CacheServicePurgeRequest; answer: CacheServicePurgeResponse };
  "CacheService/Reset": { request: CacheServiceResetRequest; answer: CacheServiceResetResponse };
  "CacheService/Simulate": { request: CacheServiceSimulateRequest; answer: CacheServiceSimulateResponse };
  "ImageService/Delete": { request: ImageServiceDeleteRequest; answer: ImageServiceDeleteResponse };
  "ImageService/Get": { request: ImageServiceGetRequest; answer: ImageServiceGetResponse };
  "ImageService/List": { request: ImageServiceListRequest; answer: ImageServiceListResponse };
  "ImageService/ListRepositories": {
    request: ImageServiceListRepositoriesRequest;
    answer: ImageServiceListRepositoriesResponse;
  };
  "ImageService/Tag": { request: ImageServiceTagRequest; answer: ImageServiceTagResponse };
  "MirrorService/Delete": { request: MirrorServiceDeleteRequest; answer: MirrorServiceDeleteResponse };
  "MirrorService/List": { request: MirrorServiceListRequest; answer: MirrorServiceListResponse };
  "MirrorService/Set": { request: MirrorServiceSetRequest; answer: MirrorServiceSetResponse };
  "OrganizationService/Create": {
    request: OrganizationServiceCreateRequest;
    answer: OrganizationServiceCreateResponse;
  };
  "OrganizationService/CreateInvitation": {
    request: OrganizationServiceCreateInvitationRequest;
    answer: OrganizationServiceCreateInvitationResponse;
  };
  "OrganizationService/Delete": {
    request: OrganizationServiceDeleteRequest;
    answer: OrganizationServiceDeleteResponse;
  };
  "OrganizationService/Get": {
    request: OrganizationServiceGetRequest;
    answer: OrganizationServiceGetResponse;
  };
  "OrganizationService/List": {
    request: OrganizationServiceListRequest;
    answer: OrganizationServiceListResponse;
  };
  "OrganizationService/ListAuditEvents": {
    request: OrganizationServiceListAuditEventsRequest;
    answer: OrganizationServiceListAuditEventsResponse;
  };
  "OrganizationService/ListInvitations": {
    request: OrganizationServiceListInvitationsRequest;
    answer: OrganizationServiceListInvitationsResponse;
  };
  "OrganizationService/ListMembers": {
    request: OrganizationServiceListMembersRequest;
    answer: OrganizationServiceListMembersResponse;
  };
  "OrganizationService/RemoveMember": {
    request: OrganizationServiceRemoveMemberRequest;
    answer: OrganizationServiceRemoveMemberResponse;
  };
  "OrganizationService/RevokeInvitation": {
    request: OrganizationServiceRevokeInvitationRequest;
    answer: OrganizationServiceRevokeInvitationResponse;
  };
  "OrganizationService/TurnOffTwoStep": {
    request: OrganizationServiceTurnOffTwoStepRequest;
    answer: OrganizationServiceTurnOffTwoStepResponse;
  };
  "OrganizationService/Update": {
    request: OrganizationServiceUpdateRequest;
    answer: OrganizationServiceUpdateResponse;
  };
  "OrganizationService/UpdateMember": {
    request: OrganizationServiceUpdateMemberRequest;
    answer: OrganizationServiceUpdateMemberResponse;
  };
  "ProjectService/Create": { request: ProjectServiceCreateRequest; answer: ProjectServiceCreateResponse };
  "ProjectService/Delete": { request: ProjectServiceDeleteRequest; answer: ProjectServiceDeleteResponse };
  "ProjectService/Get": { request: ProjectServiceGetRequest; answer: ProjectServiceGetResponse };
  "ProjectService/GetCacheUsage": {
    request: ProjectServiceGetCacheUsageRequest;
    answer: ProjectServiceGetCacheUsageResponse;
  };
  "ProjectService/List": { request: ProjectServiceListRequest; answer: ProjectServiceListResponse };
  "ProjectService/ResetCache": {
    request: ProjectServiceResetCacheRequest;
    answer: ProjectServiceResetCacheResponse;
  };
  "ProjectService/TestTrust": {
    request: ProjectServiceTestTrustRequest;
    answer: ProjectServiceTestTrustResponse;
  };
  "ProjectService/Update": { request: ProjectServiceUpdateRequest; answer: ProjectServiceUpdateResponse };
  "RunnerService/ListJobs": { request: RunnerServiceListJobsRequest; answer: RunnerServiceListJobsResponse };
  "RunnerService/ListRunners": {
    request: RunnerServiceListRunnersRequest;
    answer: RunnerServiceListRunnersResponse;
  };
  "SessionService/Get": { request: SessionServiceGetRequest; answer: SessionServiceGetResponse };
  "SessionService/List": { request: SessionServiceListRequest; answer: SessionServiceListResponse };
  "SessionService/Start": { request: SessionServiceStartRequest; answer: SessionServiceStartResponse };
  "SessionService/Stop": { request: SessionServiceStopRequest; answer: SessionServiceStopResponse };
  "TokenService/Create": { request: TokenServiceCreateRequest; answer: TokenServiceCreateResponse };
  "TokenService/ExchangeOidcToken": {
    request: TokenServiceExchangeOidcTokenRequest;
    answer: TokenServiceExchangeOidcTokenResponse;
  };
  "TokenService/List": { request: TokenServiceListRequest; answer: TokenServiceListResponse };
  "TokenService/ListExchanges": {
    request: TokenServiceListExchangesRequest;
    answer: TokenServiceListExchangesResponse;
  };
  "TokenService/Restore": { request: TokenServiceRestoreRequest; answer: TokenServiceRestoreResponse };
  "TokenService/Revoke": { request: TokenServiceRevokeRequest; answer: TokenServiceRevokeResponse };
  "UsageService/GetUsage": { request: UsageServiceGetUsageRequest; answer: UsageServiceGetUsageResponse };
}
