/** Computes all credit of a profile under other rules, from one snapshot of the database. Stores nothing. */
import { type AttributionSettings, NO_ENTITY, type Rollups } from '@whence/engine'
import { sql } from 'kysely'
import { type Connection, type Db, withConnection } from '../../../../platform/db/database.ts'
import { type ChannelOverride, overrideSource } from '../credits/channel-overrides.ts'
import { classifyPath, type PathBook, type PathTouch, resolvePaths } from '../credits/paths.ts'
import type { OutcomeKind } from '../credits/rollups.ts'
import type { AttributionProfile } from '../settings.ts'
import { listOldSources } from '../touch-sources.ts'
import { creditProfile } from './credit.ts'
import { type Profile, readProfile } from './load.ts'

export type Rules = {
  settings: AttributionSettings
  channelOverrides: readonly ChannelOverride[]
  /** Goals whose conversions are excluded. */
  withoutGoals: ReadonlySet<string>
}

/** Credit by campaign (level 0) and by channel (level 1, instead of ad sets); `nameAt` resolves both. */
export type SimulatedCredit = {
  rollups: Rollups
  kinds: readonly OutcomeKind[]
  nameAt(index: number): string
}

/** One result per rule set, in order. Undefined if touches of an earlier release need a recompute first. */
export function simulateRules(
  db: Db,
  profile: AttributionProfile,
  rules: readonly Rules[],
): Promise<SimulatedCredit[] | undefined> {
  return withConnection(db, async (tx, client) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    if ((await listOldSources(tx, profile.profileId)).length > 0) return undefined
    const connection = { tx, client }
    const loaded = await readProfile(connection, connection, profile.profileId, true)
    const simulated: SimulatedCredit[] = []
    for (const ruleSet of rules) simulated.push(await simulate(connection, profile, loaded, ruleSet))
    loaded.memory.release()
    loaded.conversions.memory.release()
    return simulated
  })
}

async function simulate(
  { tx }: Connection,
  profile: AttributionProfile,
  loaded: Profile,
  { settings, channelOverrides, withoutGoals }: Rules,
): Promise<SimulatedCredit> {
  const { profileId } = profile
  const { rows, goals, rollupKinds } = loaded.conversions
  const book = await openBook({ tx, profileId, channelOverrides }, loaded.sources)
  const order = loaded.order.filter((conversion) => !withoutGoals.has(goals.textAt(rows.goal(conversion))))
  const credited = await creditProfile(
    { ...profile, settings },
    { ...loaded, order },
    book,
    { tx, profileId },
    { put: () => {}, endChunk: async () => true },
  )
  return { rollups: credited!.rollups, kinds: rollupKinds, nameAt: book.entityIdAt }
}

type BookScope = { tx: Connection['tx']; profileId: string; channelOverrides: readonly ChannelOverride[] }

/** An in-memory path book of these touches; writes nothing. */
async function openBook(
  { tx, profileId, channelOverrides }: BookScope,
  touches: readonly PathTouch[],
): Promise<PathBook> {
  const withOverrides = touches.map((touch) => ({
    ...touch,
    source: overrideSource(touch.source, channelOverrides),
  }))
  const resolved = await resolvePaths(tx, profileId, withOverrides)
  const names: string[] = []
  const indexes = new Map<string, number>()
  const indexOf = (name: string | null) => {
    if (name === null) return NO_ENTITY
    const index = indexes.get(name) ?? names.push(name) - 1
    indexes.set(name, index)
    return index
  }
  const entities = withOverrides.map((touch) => {
    const { entityPlatform, ...path } = resolved.get(touch)!
    const { channel } = classifyPath({ ...path, source: touch.source }, () => entityPlatform!)
    return { campaign: indexOf(path.campaignId), adSet: indexOf(channel), ad: NO_ENTITY }
  })
  const numbers = new Map<PathTouch, number>(touches.map((touch, number) => [touch, number]))
  return {
    add: async () => {},
    numberOf: (touch) => numbers.get(touch)!,
    entitiesOf: (path) => entities[path]!,
    entityIdAt: (index) => names[index]!,
    hasUnassigned: () => false,
    unassignedKeysOf: () => ({ campaign: NO_ENTITY, adSet: NO_ENTITY, ad: NO_ENTITY }),
    unassignedKeyAt: () => '',
    platforms: new Map(),
  }
}
