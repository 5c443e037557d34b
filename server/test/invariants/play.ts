/** Feeds a world of the oracle and opens a reader of its reports. */
import {
  type ChannelOverride,
  getChannelRules,
} from '../../src/features/attribution/channel-rules/contract.ts'
import { getAttributionSettings } from '../../src/features/attribution/crediting/contract.ts'
import { loadAttributionProfile } from '../../src/features/attribution/crediting/settings.ts'
import { mergeCustomers, undoMerge } from '../../src/features/corrections/identity-review/merges.ts'
import { uuidv7 } from '../../src/platform/contract/ids.ts'
import { inTransaction } from '../../src/platform/db/database.ts'
import { createCheckedClient } from '../answers.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { makeKey } from '../make.ts'
import type { Settings, World } from '../oracle/history.ts'
import { overridesOf } from '../oracle/overrides.ts'
import { type Player, Stage } from '../oracle/player.ts'
import { type Range, Reader } from './read.ts'

/** A range that covers every world of the oracle. */
export const whole: Range = { date_from: '2025-10-15', date_to: '2026-07-15' }

export async function openStage(): Promise<Stage> {
  const app = await startTestApp({
    INGEST_PER_SECOND: '1000000',
    INGEST_BURST: '1000000',
    RATE_LIMIT_BURST: '10000000',
  })
  const stage = new Stage(app)
  await stage.open()
  return stage
}

export async function play(stage: Stage, world: World): Promise<{ player: Player; reader: Reader }> {
  const player = await stage.enter(world)
  const overrides = overridesOf(world.seed)
  if (overrides.when === 'first') await player.saveChannelRules(overrides.rules)
  for (const step of world.steps) await player.play(step)
  await player.settle()
  if (overrides.when === 'last') await player.saveChannelRules(overrides.rules)
  return { player, reader: await readerOf(stage.app, player.profileId) }
}

export async function readerOf(app: TestApp, profileId: string): Promise<Reader> {
  const token = await makeKey(app, profileId, [
    'campaigns:read',
    'conversions:read',
    'analytics:read',
    'payments:read',
    'customers:read',
    'visitors:read',
    'realtime:read',
  ])
  return new Reader(createCheckedClient({ ...app, token }))
}

export async function settingsOf(player: Player): Promise<Settings> {
  const { data } = await player.call(getAttributionSettings)
  return {
    lookbackDays: data.lookback_days,
    firstTouchLookbackDays: data.first_touch_lookback_days,
    halfLifeDays: data.half_life_days,
  }
}

export async function channelRulesOf(player: Player): Promise<ChannelOverride[]> {
  const { data } = await player.call(getChannelRules)
  return data.overrides.map(({ kind, value, channel }) => ({ kind, value, channel }))
}

export async function mergeAndUndo(
  { app, profileId }: Player,
  fromCustomerId: string,
  intoCustomerId: string,
): Promise<void> {
  const now = app.service.clock.now()
  const id = uuidv7(now)
  await inTransaction(app.service.db, async (tx) => {
    const profile = await loadAttributionProfile(tx, profileId)
    await mergeCustomers(tx, profile, { id, fromCustomerId, intoCustomerId, by: null, now })
  })
  await inTransaction(app.service.db, async (tx) => {
    await undoMerge(tx, await loadAttributionProfile(tx, profileId), { id, by: null, now })
  })
}
