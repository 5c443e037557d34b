/**
 * One history in many orders: `npm run test:long` runs some, and `npm run proofs` more of another history.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadAttributionProfile } from '../../src/features/attribution/crediting/settings.ts'
import { processBatch } from '../../src/features/attribution/pipeline/process.ts'
import { mergeCustomers, undoMerge } from '../../src/features/corrections/identity-review/merges.ts'
import { retractEvent } from '../../src/features/corrections/retractions/contract.ts'
import { EventInput } from '../../src/features/facts/events/contract.ts'
import { createHandover, type Handover } from '../../src/features/facts/events/handover.ts'
import { writeEvents } from '../../src/features/facts/events/queries.ts'
import { toNewEvent } from '../../src/features/facts/events/rules.ts'
import type { NewEvent } from '../../src/features/facts/events/stored.ts'
import { importSpend } from '../../src/features/sources/imports/contract.ts'
import { toTrackedEvent } from '../../src/features/sources/tracking/to-event.ts'
import { WireEvent } from '../../src/features/sources/tracking/wire.ts'
import { Refusal } from '../../src/platform/contract/refusal.ts'
import { inTransaction } from '../../src/platform/db/database.ts'
import { uuidv5 } from '../../src/platform/secrets/uuid5.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { makeWorld } from './generate.ts'
import { shuffleUnits, toUnits, type Unit } from './order.ts'
import { type Player, Stage } from './player.ts'
import { createRandom, type Random } from './random.ts'
import { dropCredits, dumpTables, wipe } from './tables.ts'

const PLAYED = { tests: { orders: 20, seed: 1 }, proofs: { orders: 50, seed: 2 } }
const HISTORIES = Number(process.env.HISTORIES ?? 1)
const ACTIONS = 24

let app: TestApp
let handover: Handover
let partSize: number | undefined
/** Currency of the current world. */
let currency: string
let stage: Stage

/** Stores the unit with its original receive time, without processing. */
async function arrive(player: Player, unit: Unit): Promise<void> {
  const { profileId, call } = player
  const { db, identityPepper: pepper } = app.service
  const write = (event: NewEvent) => writeEvents(db, { profileId, events: [event], handover })
  switch (unit.type) {
    case 'event': {
      const setting = { profileId, currency, country: null, pepper, now: new Date(unit.recordedAt) }
      // Amounts with too many decimals are refused in every order.
      const event = toNewEvent(EventInput.parse(unit.event), setting)
      if (!(event instanceof Refusal)) await write(event)
      return
    }
    case 'page': {
      const wire = WireEvent.parse(player.toWire(unit.page, unit.recordedAt))
      const now = new Date(unit.recordedAt)
      const reading = toTrackedEvent(wire, {
        profileId,
        currency,
        country: null,
        pepper,
        now,
        isBot: false,
        device: {},
        userAgent: '',
        ownDomains: [],
        exportedNames: new Set(),
      })
      if (!reading.ok) throw new Error(reading.message)
      await write(reading.event)
      return
    }
    case 'spend':
      await call(importSpend, { body: { rows: unit.rows } })
      return
    case 'retract':
      await call(retractEvent, { body: { idempotency_key: unit.key } })
      return
    case 'payment':
      await settle(player)
      await player.changePayment(unit.step)
      return
    case 'merge':
    case 'undo_merge':
      await settle(player)
      await merge(player, unit)
  }
}

async function merge(player: Player, unit: Extract<Unit, { type: 'merge' | 'undo_merge' }>): Promise<void> {
  const id = uuidv5(player.profileId, unit.name)
  await inTransaction(app.service.db, async (tx) => {
    const profile = await loadAttributionProfile(tx, player.profileId)
    if (unit.type === 'undo_merge') {
      await undoMerge(tx, profile, { id, by: null, now: new Date() })
      return
    }
    const [from, into] = [unit.from, unit.into].map((side) => player.spelling(side.kind, side.value))
    await mergeCustomers(tx, profile, {
      id,
      fromCustomerId: from!,
      intoCustomerId: into!,
      by: null,
      now: new Date(unit.at),
    })
  })
}

async function settle(player: Player): Promise<void> {
  // A batch that is not full means that the queue is empty.
  const service = { ...app.service, handover, partSize }
  while ((await processBatch(service, player.profileId))?.isDrained === false);
}

async function play(player: Player, units: readonly Unit[], random: Random): Promise<void> {
  const eagerness = random.pick([0.02, 0.2, 0.6])
  // None, some or all events are processed from memory without being read back.
  handover = createHandover(random.pick([0, 3, 1000]))
  // A batch is one part, or many that are processed concurrently.
  partSize = random.pick([1, 2, 5, undefined])
  for (const unit of units) {
    await arrive(player, unit)
    if (random.chance(eagerness)) await settle(player)
  }
  await settle(player)
}

export function checkOrders(suite: keyof typeof PLAYED): void {
  const orders = Number(process.env.ORDERS ?? PLAYED[suite].orders)
  const firstSeed = Number(process.env.SEED ?? PLAYED[suite].seed)
  beforeAll(async () => {
    app = await startTestApp({ RATE_LIMIT_BURST: '10000000' })
    stage = new Stage(app)
    await stage.open()
  })
  afterAll(() => app.close())

  it(`the same history in ${orders} orders and batchings results in the same tables, from seed ${firstSeed} on`, {
    timeout: 300_000 * HISTORIES,
  }, async () => {
    for (let seed = firstSeed; seed < firstSeed + HISTORIES; seed++) {
      const world = makeWorld(seed, ACTIONS)
      currency = world.currency
      const player = await stage.enter(world)
      const clock = new Date(world.steps.at(-1)!.at)
      app.service.clock.now = () => clock
      const units = toUnits(world)
      const random = createRandom(seed)
      const { db } = app.service
      let first: Record<string, string[]> | undefined
      for (let order = 0; order < orders; order++) {
        await wipe(db, player.profileId)
        await play(player, order === 0 ? units : shuffleUnits(units, random), random)
        const dump = await dumpTables(db, player.profileId)
        first ??= dump
        expect(dump, `seed ${seed}, order ${order}`).toEqual(first)
      }
      await player.recompute()
      expect(await dumpTables(db, player.profileId), `seed ${seed}, recomputed`).toEqual(first)
      await dropCredits(db, player.profileId)
      await player.recompute()
      expect(await dumpTables(db, player.profileId), `seed ${seed}, computed from nothing`).toEqual(first)
    }
  })
}
