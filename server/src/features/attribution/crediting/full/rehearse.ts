/** What all credit of a profile would be under other rules: from one view of the database, stored nowhere. */
import { type AttributionSettings, NO_ENTITY, type Rollups } from '@whence/engine'
import { sql } from 'kysely'
import { type Connection, type Db, withConnection } from '../../../../platform/db/database.ts'
import { type ChannelOverride, overrideSource } from '../credits/channel-overrides.ts'
import { type PathBook, type PathTouch, placeOn, resolvePaths } from '../credits/paths.ts'
import type { OutcomeKind } from '../credits/rollups.ts'
import type { AttributionProfile } from '../settings.ts'
import { listOldSources } from '../touch-sources.ts'
import { creditProfile } from './credit.ts'
import { type Profile, readProfile } from './load.ts'

export type Rules = {
  settings: AttributionSettings
  channelOverrides: readonly ChannelOverride[]
  /** Goals whose conversions are left out. */
  withoutGoals: ReadonlySet<string>
}

/** Credit by campaign (level 0) and by channel (level 1) in the place of ad sets; `nameAt` names both. */
export type Rehearsed = { rollups: Rollups; kinds: readonly OutcomeKind[]; nameAt(index: number): string }

/** Under each of the rules, in the same order; undefined where touches of an earlier release wait for a recompute. */
export function rehearse(
  db: Db,
  profile: AttributionProfile,
  rules: readonly Rules[],
): Promise<Rehearsed[] | undefined> {
  return withConnection(db, async (tx, client) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    if ((await listOldSources(tx, profile.profileId)).length > 0) return undefined
    const connection = { tx, client }
    const loaded = await readProfile(connection, connection, profile.profileId, true)
    const rehearsed: Rehearsed[] = []
    for (const one of rules) rehearsed.push(await creditBy(connection, profile, loaded, one))
    loaded.memory.release()
    loaded.conversions.memory.release()
    return rehearsed
  })
}

async function creditBy(
  { tx }: Connection,
  profile: AttributionProfile,
  loaded: Profile,
  { settings, channelOverrides, withoutGoals }: Rules,
): Promise<Rehearsed> {
  const { profileId } = profile
  const { rows, goals, rollupKinds } = loaded.conversions
  const book = await openBook({ tx, profileId, channelOverrides }, loaded.sources)
  const order = loaded.order.filter((conversion) => !withoutGoals.has(goals.textAt(rows.goal(conversion))))
  const credited = await creditProfile(
    { ...profile, settings },
    { ...loaded, order },
    book,
    { tx, profileId },
    { put: () => {}, rest: async () => true },
  )
  return { rollups: credited!.rollups, kinds: rollupKinds, nameAt: book.entityIdAt }
}

type Asked = { tx: Connection['tx']; profileId: string; channelOverrides: readonly ChannelOverride[] }

/** Paths of these touches only, numbered here. */
async function openBook(
  { tx, profileId, channelOverrides }: Asked,
  touches: readonly PathTouch[],
): Promise<PathBook> {
  const counted = touches.map((touch) => ({
    ...touch,
    source: overrideSource(touch.source, channelOverrides),
  }))
  const resolved = await resolvePaths(tx, profileId, counted)
  const names: string[] = []
  const indexes = new Map<string, number>()
  const indexOf = (name: string | null) => {
    if (name === null) return NO_ENTITY
    const known = indexes.get(name) ?? names.push(name) - 1
    indexes.set(name, known)
    return known
  }
  const entities = counted.map((touch) => {
    const { entityPlatform, ...path } = resolved.get(touch)!
    const { channel } = placeOn({ ...path, source: touch.source }, () => entityPlatform!)
    return { campaign: indexOf(path.campaignId), adSet: indexOf(channel), ad: NO_ENTITY }
  })
  const numbers = new Map<PathTouch, number>(touches.map((touch, number) => [touch, number]))
  return {
    add: async () => {},
    numberOf: (touch) => numbers.get(touch)!,
    entitiesOf: (path) => entities[path]!,
    entityIdAt: (index) => names[index]!,
    hasHolders: () => false,
    holdersOf: () => ({ campaign: NO_ENTITY, adSet: NO_ENTITY, ad: NO_ENTITY }),
    holderAt: () => '',
    platforms: new Map(),
  }
}
