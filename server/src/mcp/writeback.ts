/**
 * Writes of assistants: a preview reads the state at the platform and returns a confirmation id; confirming applies
 * the same change once. Each step is audited before the platform is called. Circuit breaker: three failures in half
 * an hour stop further writes of the profile.
 */
import { createHash } from 'node:crypto'
import type { ProfileRef, Service } from '../context.ts'
import {
  claimPreview,
  countFailedWrites,
  findClientName,
  insertWriteback,
  saveWritebackOutcome,
  type WritebackRow,
} from '../features/account/mcp/audit-queries.ts'
import type { McpSettings } from '../features/account/mcp/queries.ts'
import { ApiError } from '../platform/contract/errors.ts'
import { isUuid, uuidv7 } from '../platform/contract/ids.ts'
import { toApiError } from '../platform/http/reply.ts'
import { apiCallOf, callRoute, type Origin, type RouteCall, toRouteCall } from './call-route.ts'
import { cleaned } from './results.ts'
import type { McpCaller, Tool } from './tools.ts'

const PREVIEW_MS = 10 * 60_000
const BREAKER_MS = 30 * 60_000
const BREAKER_FAILURES = 3

export const writeModes = ['preview', 'dry_run', 'confirm'] as const

export type WriteRequest = {
  service: Service
  tool: Tool
  tools: ReadonlyMap<string, Tool>
  caller: McpCaller
  profile: ProfileRef
  settings: McpSettings
  isMasked: boolean
  origin: Origin
  /** Without mode, confirmation and idempotency_key. */
  args: Record<string, unknown>
  mode: (typeof writeModes)[number]
  /** Id of the preview. */
  confirmation: string | undefined
  idempotencyKey: string | undefined
  /** A person confirmed through the client (elicitation). */
  wasElicited: boolean
}

/** Refused by the rules for assistants; its codes are not API error codes. */
export class WriteRefusal extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export async function runWrite(request: WriteRequest) {
  const { service, tool, caller, profile, args } = request
  let call = toRouteCall(tool, args, { caller, profile, maxRows: request.settings.max_rows })
  const row = await newRow(request)
  let before: unknown = null
  try {
    await checkAllowed(request)
    before = await readBefore(request, call)
    call = atPlatform(call, before)
    checkBudgetStep(request, before)
    if (request.mode === 'confirm') await checkConfirmed(request, row.arguments_digest)
  } catch (cause) {
    const { code, isFailure } = refusalOf(cause)
    await insertWriteback(service.db, {
      ...row,
      before,
      error_code: code,
      outcome: isFailure ? 'failed' : 'refused',
    })
    throw cause
  }
  const api_call = { ...apiCallOf(service, tool.route, call), body: call.body }
  if (request.mode !== 'confirm') {
    const isPreview = request.mode === 'preview'
    const expires_at = isPreview ? new Date(row.occurred_at.getTime() + PREVIEW_MS) : null
    await insertWriteback(service.db, { ...row, before, outcome: 'previewed', error_code: null, expires_at })
    return {
      outcome: 'previewed',
      before: cleaned(before, request.isMasked),
      change: cleaned(args, request.isMasked),
      ...(isPreview ? { confirmation: row.id, expires_at: expires_at!.toISOString() } : {}),
      api_call,
    }
  }
  await insertWriteback(service.db, { ...row, before, outcome: 'failed', error_code: 'outcome_unknown' })
  const settle = (result: Pick<WritebackRow, 'outcome' | 'error_code' | 'after'>) =>
    saveWritebackOutcome(service.db, { id: row.id, profileId: profile.id, ...result })
  try {
    const { data } = await callRoute(service, tool.route, call, request.origin, keyOf(request))
    const after = cleaned(data, true)
    const outcome = (data as { outcome?: string }).outcome === 'no_change' ? 'no_change' : 'applied'
    await settle({ outcome, error_code: null, after })
    return {
      outcome,
      before: cleaned(before, request.isMasked),
      after: cleaned(data, request.isMasked),
      api_call,
    }
  } catch (cause) {
    const { code, isFailure } = refusalOf(cause)
    await settle({ outcome: isFailure ? 'failed' : 'refused', error_code: code, after: null })
    throw cause
  }
}

function refusalOf(cause: unknown): { code: string; isFailure: boolean } {
  if (cause instanceof WriteRefusal) return { code: cause.code, isFailure: false }
  const { code, status } = toApiError(cause)
  return { code, isFailure: status >= 500 }
}

async function newRow(request: WriteRequest) {
  const { service, caller, profile, tool, mode, args } = request
  const now = service.clock.machineNow()
  const client = await findClientName(service.db, { credentialId: caller.credentialId })
  const digest = createHash('sha256').update(JSON.stringify([tool.name, profile.id, sorted(args)]))
  const isConfirmed = mode === 'confirm'
  const confirmation = !isConfirmed ? 'none' : request.wasElicited ? 'elicited' : 'argument'
  return {
    id: uuidv7(now),
    occurred_at: now,
    workspace_id: profile.workspaceId,
    profile_id: profile.id,
    credential_id: caller.credentialId,
    user_id: caller.kind === 'user' ? caller.userId : null,
    ...client,
    tool: tool.name,
    mode,
    arguments: cleaned(args, true) as Record<string, unknown>,
    arguments_digest: digest.digest(),
    idempotency_key: isConfirmed ? keyOf(request) : null,
    confirmation:
      isConfirmed && request.confirmation === undefined ? ('none' as const) : (confirmation as 'none'),
    expires_at: null,
    request_id: request.origin.requestId,
  }
}

const sorted = (args: Record<string, unknown>) => Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1))

/** An elicited confirmation belongs to one preview, so the preview is its key. */
const keyOf = ({ idempotencyKey, confirmation }: WriteRequest): string =>
  idempotencyKey ?? `preview ${confirmation ?? ''}`

async function checkAllowed({ service, settings, profile, mode }: WriteRequest): Promise<void> {
  if (!settings.writeback_enabled)
    throw new WriteRefusal(
      'writeback_disabled',
      'An admin must enable `writeback_enabled` in mcp-settings first.',
    )
  if (mode !== 'confirm') return
  const since = new Date(service.clock.machineNow().getTime() - BREAKER_MS)
  if ((await countFailedWrites(service.db, { profileId: profile.id, since })) >= BREAKER_FAILURES)
    throw new WriteRefusal(
      'circuit_open',
      'Three writes of this profile failed in the last 30 minutes. Stop, report it to the person, and retry later.',
    )
}

/** The state before the change, from the operation named in `preview`. */
async function readBefore(request: WriteRequest, write: RouteCall): Promise<unknown> {
  const { service, tool, tools, caller, profile, origin } = request
  const reader = tools.get(tool.mcp.preview ?? '')
  if (reader === undefined) return null
  const readerParams = Object.fromEntries(
    Object.entries(write.params).filter(([name]) => reader.locations.get(name) === 'params'),
  )
  const read = toRouteCall(reader, readerParams, { caller, profile, maxRows: 200 })
  const { data } = await callRoute(service, reader.route, read, origin)
  if (!Array.isArray(data)) return data
  const id = write.params.id ?? write.params.payment_id
  return data.find((row: { id?: string; payment_id?: string }) => (row.id ?? row.payment_id) === id) ?? null
}

/** The read also accepts our own campaign id; the write requires the platform's id. */
function atPlatform(write: RouteCall, before: unknown): RouteCall {
  const { campaign_id: campaignId, platform_id: id } = (before ?? {}) as {
    campaign_id?: string
    platform_id?: string
  }
  return id === undefined || campaignId !== write.params.id
    ? write
    : { ...write, params: { ...write.params, id } }
}

function checkBudgetStep({ args, settings }: WriteRequest, before: unknown): void {
  for (const kind of ['daily_budget', 'lifetime_budget'] as const) {
    const requested = args[kind] === undefined ? undefined : Number(args[kind])
    if (requested === undefined) continue
    const current = (before as Record<string, number | null> | null)?.[kind] ?? null
    const step = settings.budget_step_percent
    if (current === null || Math.abs(requested - current) * 100 > current * step)
      throw new ApiError(
        'budget_change_out_of_bounds',
        `Assistants may change a budget by at most ${step} percent at a time; the current one is ${current ?? 'not set'}.`,
      )
  }
}

async function checkConfirmed(request: WriteRequest, digest: Buffer): Promise<void> {
  const { service, settings, caller, profile, confirmation, idempotencyKey } = request
  if (idempotencyKey === undefined && confirmation === undefined)
    throw new WriteRefusal('idempotency_key_required', 'Send an `idempotency_key` with mode confirm.')
  if (confirmation === undefined && !settings.require_confirmation) return
  const isClaimed =
    confirmation !== undefined &&
    isUuid(confirmation) &&
    (await claimPreview(service.db, {
      id: confirmation,
      profileId: profile.id,
      credentialId: caller.credentialId,
      digest,
      idempotencyKey: keyOf(request),
      now: service.clock.machineNow(),
    }))
  if (!isClaimed)
    throw new WriteRefusal(
      'confirmation_required',
      'Preview this exact change first, show it to the person, then confirm it once with the `confirmation` of the preview within 10 minutes.',
    )
}
