/** Contexts that handlers and jobs receive. */

import type { KeyObject } from 'node:crypto'
import type { SandboxMode } from '@whence/sandbox/mode.ts'
import type { Config } from './config.ts'
import type { Banklink, Billing, Providers, Shortvideo } from './connectors/registry.ts'
import type { NewEvent } from './features/facts/events/stored.ts'
import type { Clock } from './platform/clock.ts'
import type { ProfileRole, WorkspaceRole } from './platform/contract/access.ts'
import type { Access } from './platform/contract/endpoint.ts'
import type { Db, Tx } from './platform/db/database.ts'
import type { Nodes } from './platform/db/nodes.ts'
import type { Log } from './platform/log.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { Dns } from './platform/outbound/dns.ts'
import type { Outbound } from './platform/outbound/outbound.ts'
import type { Geo, Ingest, IngestLimit, Processor, Refusals } from './platform/ports.ts'
import type { Keyring } from './platform/secrets/keyring.ts'
import type { KeyRotation } from './platform/secrets/rotation.ts'

/** Created once at startup and passed down. */
export type Service = {
  config: Config
  /** For requests with a waiting caller: with a statement timeout. */
  db: Db
  /** The same connections without that timeout, for work that scans all of a profile's data. */
  backgroundDb: Db
  /** Locations of profile data. */
  nodes: Nodes
  keyring: Keyring
  keyRotation: KeyRotation
  clock: Clock
  log: Log
  mailer: Mailer
  /** Providers with an app registration, each with a client with retries and timeouts. */
  providers: Providers
  /** Undefined if this deployment has no bank-link registration. */
  banklink: Banklink | undefined
  /** Accepts conversions with each destination's own token. */
  shortvideo: Shortvideo
  /** Undefined unless this deployment serves simulated providers. */
  sandbox: SandboxMode | undefined
  /** Undefined if billing is off. */
  billing: Billing | undefined
  /** For URLs configured by the operator (providers). */
  providerHttp: Outbound
  /** For user-supplied URLs (webhooks): public addresses only. */
  publicHttp: Outbound
  /** For image URLs from platforms: public addresses only, with larger responses than webhooks. */
  imageHttp: Outbound
  /** Key for hashes of people's identifiers; permanent per deployment. */
  identityPepper: KeyObject
  /** From this time, every process supports ids that start with their time. */
  timedIdsFrom: Date
  geo: Geo
  dns: Dns
  ingest: Ingest<NewEvent>
  ingestLimit: IngestLimit
  refusals: Refusals
  processor: Processor
  dispatcher: Dispatcher
}

/** Delivers events to webhook subscriptions. */
export type Dispatcher = {
  start(): void
  /** Call when the profile has recorded an event, or a subscription has something to send. */
  wake(profileId: string): void
  stop(graceMs?: number): Promise<void>
}

export type Caller =
  | { kind: 'anonymous' }
  | {
      kind: 'key'
      credentialId: string
      profileId: string
      scopes: readonly string[]
      grant: string | null
      appId: string | null
      authorizationId: string | null
      /** True if the app provisioned the profile and its data-processing agreement is not accepted. */
      lacksDpa: boolean
      /** Granted to the key, without effect while the agreement is missing; not part of `scopes`. */
      withheldScopes: readonly string[]
    }
  | {
      kind: 'user'
      via: 'session' | 'token'
      credentialId: string
      /** The consent that a client's short-lived tokens come from. */
      consentId?: string | null
      userId: string
      scopes: readonly string[]
      /** How the session was opened. Absent for tokens, and for jobs that act as a person. */
      session?: SessionFacts
    }
  | { kind: 'app'; credentialId: string; appId: string; clientId: string }

export type SessionFacts = {
  /** A second factor was shown, or the device is remembered. */
  hasSecondFactor: boolean
  /** False if only a remembered device stood in for the second factor. */
  isProved: boolean
  /** The workspace whose company sign-in opened the session, which is then valid for this workspace only. */
  ssoWorkspaceId: string | null
}

export type KeyCaller = Extract<Caller, { kind: 'key' }>
export type UserCaller = Extract<Caller, { kind: 'user' }>
export type AppCaller = Extract<Caller, { kind: 'app' }>

/** Who creates an object: the person and the key, user token or consent that was used. Sessions name only the person. */
export function makerOf(caller: Caller): {
  made_by_user_id: string | null
  made_by_credential_id: string | null
} {
  if (caller.kind === 'key') return { made_by_user_id: null, made_by_credential_id: caller.credentialId }
  if (caller.kind !== 'user') return { made_by_user_id: null, made_by_credential_id: null }
  const credentialId = caller.via === 'session' ? null : (caller.consentId ?? caller.credentialId)
  return { made_by_user_id: caller.userId, made_by_credential_id: credentialId }
}

/** The authorization under which an app acts; null for people and direct keys. */
export const authorizationOf = (caller: Caller): string | null =>
  caller.kind === 'key' ? caller.authorizationId : null

export type ProfileRef = {
  id: string
  workspaceId: string
  name: string
  timezone: string
  currency: string
  /** Default country of phone numbers without a country code; null if such numbers are not used as identifiers. */
  country: string | null
  privacyMode: 'standard' | 'platform_safe' | 'hipaa'
  healthcareWorkspace: boolean
  /** The app that created the profile, while it still governs it. */
  provisionedByAppId: string | null
  /** The app that created or adopted the profile, while the underlying authorization is valid. */
  governingAppId: string | null
  isDemo: boolean
}

/** Healthcare workspace, or a privacy mode that treats every person as a patient. */
export function isHealthcare(profile: ProfileRef): boolean {
  return profile.healthcareWorkspace || profile.privacyMode !== 'standard'
}

export type RequestContext = {
  service: Service
  /** The open transaction when the request carries an idempotency key, the pool otherwise. */
  db: Db | Tx
  now: Date
  log: Log
  requestId: string
  ip: string
  userAgent: string
  /** True if the client (the console) wants its session as an HttpOnly cookie. */
  wantsCookie: boolean
}

export type ProfileContext = RequestContext & {
  caller: KeyCaller | UserCaller
  profile: ProfileRef
  role: WorkspaceRole | ProfileRole | null
  /** Effective scopes of the credential on this profile. */
  scopes: readonly string[]
  /** Customers whose name, email or phone the response shows; logged before it is sent. */
  shown: Set<string>
}

/** A partner's key cannot read people of a healthcare profile, whatever its scopes. */
export function canReadPeople({ caller, profile, scopes }: ProfileContext): boolean {
  const isPartner = caller.kind === 'key' && caller.appId !== null
  return scopes.includes('customers:read') && !(isPartner && isHealthcare(profile))
}
export type WorkspaceContext = RequestContext & {
  caller: UserCaller
  workspaceId: string
  role: WorkspaceRole
}
export type UserContext = RequestContext & { caller: UserCaller }
export type UserOrAppContext = RequestContext & { caller: UserCaller | AppCaller }
export type AppContext = RequestContext & { caller: AppCaller }
export type AnyContext = RequestContext & { caller: Caller }

/** Context of a job. */
export type JobContext = {
  service: Service
  db: Db
  now: Date
  log: Log
  jobId: string
  /** Null for work of the whole service. */
  profileId: string | null
  /** 1 for the first attempt. */
  attempt: number
  /** Aborted when the worker stops or has lost the job's lease. */
  signal: AbortSignal
}

export type ContextOf<A extends Access> = A extends { kind: 'profile' }
  ? ProfileContext
  : A extends { kind: 'workspace' }
    ? WorkspaceContext
    : A extends { kind: 'user' }
      ? UserContext
      : A extends { kind: 'app' }
        ? AppContext
        : A extends { kind: 'user_or_app' }
          ? UserOrAppContext
          : A extends { kind: 'workspace_or_app' }
            ? RequestContext & {
                caller: UserCaller | AppCaller
                workspaceId: string
                role: WorkspaceRole | null
              }
            : A extends { kind: 'bearer' }
              ? RequestContext & { caller: KeyCaller | UserCaller }
              : AnyContext
