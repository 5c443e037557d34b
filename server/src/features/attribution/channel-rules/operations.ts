import type { ProfileContext } from '../../../context.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { CHANNEL_LIST_VERSION } from '../../facts/events/channel-hosts.ts'
import { queueRecompute } from '../crediting/operations.ts'
import type { ChannelOverride } from './contract.ts'
import { listOverrides, replaceOverrides } from './queries.ts'
import { decideChannel, readArrival } from './rules.ts'

const toReply = (stored: Awaited<ReturnType<typeof listOverrides>>) => ({
  overrides: stored.overrides,
  list_version: CHANNEL_LIST_VERSION,
  updated_at: stored.updatedAt,
})

export async function getChannelRules({ db, profile }: ProfileContext) {
  return toReply(await listOverrides(db, { profileId: profile.id }))
}

/** Commits the rules and queues their recompute in one transaction. */
export function saveChannelRules(
  context: ProfileContext,
  { overrides }: { overrides: readonly ChannelOverride[] },
) {
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profileId)
    const before = await listOverrides(tx, { profileId })
    if (JSON.stringify(before.overrides) === JSON.stringify(overrides))
      return { ...toReply(before), recompute: null }
    await replaceOverrides(tx, { profileId, overrides, now: context.now })
    await recordSetting(tx, context, {
      action: 'channel_rules.changed',
      before: { overrides: before.overrides },
      after: { overrides },
    })
    return {
      ...toReply(await listOverrides(tx, { profileId })),
      recompute: await queueRecompute(tx, profileId, 'settings', context.now),
    }
  })
}

export async function testChannelRules(
  { db, profile }: ProfileContext,
  visit: { url: string; referrer?: string | undefined },
) {
  const { overrides } = await listOverrides(db, { profileId: profile.id })
  const decision = decideChannel(readArrival(visit.url, visit.referrer), overrides)
  return { ...decision, list_version: CHANNEL_LIST_VERSION }
}
