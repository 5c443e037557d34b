/** Changes that must not alter any figure, on random worlds. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedsForRun } from '../length.ts'
import { eraseIn } from '../oracle/erasing.ts'
import { makeWorld } from '../oracle/generate.ts'
import type { ServerEvent, World } from '../oracle/history.ts'
import type { Player, Stage } from '../oracle/player.ts'
import { createRandom } from '../oracle/random.ts'
import { wipe } from '../oracle/tables.ts'
import { allOf, withoutPeople } from './changes.ts'
import { channelRulesOf, mergeAndUndo, openStage, play, settingsOf, whole } from './play.ts'
import { Violations } from './violations.ts'

const seeds = seedsForRun(8001, 0, 12)

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.app.close())

/** The last version of each event that is not retracted. */
function lastWords({ steps }: World): ServerEvent[] {
  const last = new Map<string, ServerEvent>()
  for (const step of steps) {
    if (step.type === 'retract') last.delete(step.key)
    if (step.type === 'events')
      for (const event of step.events)
        if (event.idempotency_key !== undefined) last.set(event.idempotency_key, event)
  }
  return [...last.values()]
}

async function sendAgain(player: Player, world: World): Promise<void> {
  const events = lastWords(world)
  const { at } = world.steps.at(-1)!
  if (events.length > 0) await player.play({ type: 'events', at, batch: true, events })
}

/** Rebuilds the profile from these events, all received at one moment, so that only their order differs. */
async function playEvents(player: Player, events: readonly ServerEvent[], at: number): Promise<void> {
  await wipe(stage.app.service.db, player.profileId)
  for (const event of events) await player.play({ type: 'events', at, batch: false, events: [event] })
  await player.settle()
}

it.each(seeds)(
  'a change that is taken back leaves every figure as it was, and an erasure all money, in the world of seed %i',
  { timeout: 120_000 },
  async (seed) => {
    const world = makeWorld(seed)
    const random = createRandom(seed)
    const { player, reader } = await play(stage, world)
    const violations = new Violations()
    let before = await reader.figures(whole)
    const check = async (what: string, act: () => Promise<unknown>, select = allOf) => {
      await act()
      await player.settle()
      const after = await reader.figures(whole)
      violations.equal(what, select(before), select(after))
      before = after
    }
    await check('recomputed', () => player.recompute())
    await check('sent again', () => sendAgain(player, world))
    const [from, into] = random.shuffle(before.customers)
    if (from !== undefined && into !== undefined)
      await check('merged and undone', () => mergeAndUndo(player, from.customer_id, into.customer_id))
    const [settings, rules] = [await settingsOf(player), await channelRulesOf(player)]
    await check('settings set back', async () => {
      await player.changeSettings({ lookbackDays: 2, firstTouchLookbackDays: 3, halfLifeDays: 1 })
      await player.changeSettings(settings)
    })
    await check('channel rules set back', async () => {
      await player.saveChannelRules([{ kind: 'source', value: 'news', channel: 'display' }])
      await player.saveChannelRules(rules)
    })
    const emails = ['person0@example.com', 'person1@example.com', 'second@example.com']
    await check(
      'erased',
      () => eraseIn(stage.app, player.profileId, { kind: 'email', value: random.pick(emails) }),
      withoutPeople,
    )
    const events = lastWords(world).filter(({ timestamp }) => timestamp !== undefined)
    const { at } = world.steps.at(-1)!
    await playEvents(player, events, at)
    before = await reader.figures(whole)
    await check('arrived in another order', () => playEvents(player, random.shuffle(events), at))
    expect(violations.lines(12), `SEED=${seed} WORLDS=1`).toEqual([])
  },
)
