/** Leaderboards frozen under a link: captured once, never recomputed. */
import type { z } from 'zod'
import type { Service, WorkspaceContext } from '../../../context.ts'
import { listOpenProfiles } from '../../../platform/access/open-profiles.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { toReply } from '../../../platform/contract/to-reply.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { hashPassword } from '../../../platform/secrets/passwords.ts'
import * as contract from './contract.ts'
import * as queries from './queries/snapshots.ts'
import { hashOf, shareToken } from './snapshot-rules.ts'
import { leaderboardOf } from './workspace.ts'

const MAX_ADS = 50

const toSnapshot = (service: Service, row: queries.SnapshotRow) =>
  toReply(contract.Snapshot, row, {
    url: `${service.config.BASE_URL}/share/top-performers/${shareToken(service.identityPepper, row.id)}`,
    window: row.score_window,
  })

/** A snapshot is hidden from people who lack access to one of its profiles. */
export async function listSnapshots(context: WorkspaceContext) {
  const open = await openIds(context)
  const rows = await queries.listLiveSnapshots(context.db, {
    workspaceId: context.workspaceId,
    now: context.now,
  })
  return rows
    .filter((row) => row.profile_ids.every((id) => open.has(id)))
    .map((row) => toSnapshot(context.service, row))
}

async function openIds(context: WorkspaceContext): Promise<Set<string>> {
  return new Set((await listOpenProfiles(context, { scope: 'campaigns:read' })).map(({ id }) => id))
}

export async function captureSnapshot(
  context: WorkspaceContext,
  body: z.output<typeof contract.SnapshotCapture>,
) {
  const { filters } = body
  const { rows, asOf } = await leaderboardOf(context, {
    window: body.window,
    filter: {
      objectives: filters.objectives,
      formats: filters.formats,
      truthGrades: filters.truth_grades,
      hasVideo: filters.has_video,
      outcomeKinds: filters.outcome_kinds,
    },
    minSpend: filters.min_spend,
    limit: MAX_ADS,
    profileIds: filters.profile_ids,
  })
  const content = { as_of: asOf, ads: rows.map(({ ad_id: _, ...row }) => row) }
  const passwordHash = body.password === undefined ? null : await hashPassword(body.password)
  return inTransaction(context.db, async (tx) => {
    const { workspaceId, now } = context
    await requireBelowLimit(tx, 'snapshots', workspaceId, () =>
      queries.countLiveSnapshots(tx, { workspaceId, now }),
    )
    const id = uuidv7(now)
    const row = await queries.insertSnapshot(tx, {
      id,
      workspaceId,
      name: body.name,
      window: body.window,
      profileIds: filters.profile_ids ?? [...new Set(rows.map((row) => row.profile_id))],
      capturedAt: now,
      expiresAt: new Date(now.getTime() + body.expires_in_days * DAY_MS),
      passwordHash,
      resultHash: hashOf(content),
      content,
      madeBy: context.caller.userId,
    })
    await recordChange(tx, context, { workspaceId, action: 'snapshot.captured', subject: id })
    return toSnapshot(context.service, row)
  })
}

export async function revokeSnapshot(context: WorkspaceContext, id: string): Promise<void> {
  const { workspaceId, now } = context
  const row = await queries.findSnapshot(context.db, { workspaceId, id })
  const open = await openIds(context)
  if (row === undefined || !row.profile_ids.every((profileId) => open.has(profileId)))
    throw new ApiError('not_found', 'This workspace has no such snapshot.')
  await inTransaction(context.db, async (tx) => {
    await queries.markRevoked(tx, { workspaceId, id, now })
    await recordChange(tx, context, { workspaceId, action: 'snapshot.revoked', subject: id })
  })
}
