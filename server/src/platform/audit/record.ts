/** Records who changed what, in the transaction of the change. */
import type { AnyContext, Caller } from '../../context.ts'
import { uuidv7 } from '../contract/ids.ts'
import type { Db, Tx } from '../db/database.ts'
import { insertRow } from '../db/rows.ts'

export type Change = {
  /** Set if the changed object refers to its audit record. */
  id?: string
  workspaceId: string
  profileId?: string | null
  /** `noun.verb`, such as `workspace.archived`. */
  action: string
  /** Id of the changed object. */
  subject?: string | null
  detail?: Record<string, unknown>
}

/** A job passes no caller. */
export type Actor = Pick<AnyContext, 'now'> & { caller?: Caller; requestId?: string }

export function actorOf(caller: Caller | undefined): { actor_kind: string; actor_id: string | null } {
  switch (caller?.kind) {
    case 'user':
      return { actor_kind: 'user', actor_id: caller.userId }
    case 'app':
      return { actor_kind: 'app', actor_id: caller.appId }
    case 'key':
      return { actor_kind: 'api_key', actor_id: caller.credentialId }
    default:
      return { actor_kind: 'service', actor_id: null }
  }
}

type ActorInProfile = Actor & { profile: { id: string; workspaceId: string } }
type Values = Record<string, unknown>

/**
 * Records a change of a setting that affects figures, with the differing fields before and after; nothing if none differ.
 * `before` null: created; `after` null: removed.
 */
export async function recordSetting(
  db: Db | Tx,
  context: ActorInProfile,
  setting: { action: string; subject?: string; before: Values | null; after: Values | null },
): Promise<void> {
  const { action, subject = null } = setting
  const detail = differenceOf(setting.before, setting.after)
  if (detail === undefined) return
  await recordInProfile(db, context, { action, subject, detail })
}

function differenceOf(before: Values | null, after: Values | null) {
  if (before === null || after === null) return { before, after }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  if (names.length === 0) return undefined
  const pick = (values: Values) => Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}

/** Records a change in the profile of the request. */
export function recordInProfile(
  db: Db | Tx,
  context: ActorInProfile,
  change: Omit<Change, 'workspaceId' | 'profileId'>,
): Promise<void> {
  const { id: profileId, workspaceId } = context.profile
  return recordChange(db, context, { ...change, workspaceId, profileId })
}

export async function recordChange(db: Db | Tx, actor: Actor, change: Change): Promise<void> {
  await insertRow(db, 'audit_log', {
    id: change.id ?? uuidv7(actor.now),
    workspace_id: change.workspaceId,
    profile_id: change.profileId ?? null,
    ...actorOf(actor.caller),
    action: change.action,
    subject: change.subject ?? null,
    detail: JSON.stringify(change.detail ?? {}),
    request_id: actor.requestId ?? null,
    occurred_at: actor.now,
  })
}
