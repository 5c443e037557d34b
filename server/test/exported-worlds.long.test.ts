/** Random worlds, exported repeatedly while they change: the SQL of docs/sql over the files equals the reports. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { models } from '@whence/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertDestination } from '../src/features/outgoing/data-exports/queries.ts'
import { queueRun } from '../src/features/outgoing/data-exports/start-run.ts'
import { uuidv7 } from '../src/platform/contract/ids.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import { startTestApp, type TestApp } from './app.ts'
import { runExportNow } from './data-export-world.ts'
import { checkManifest } from './exported-files.ts'
import { compareReports } from './exported-reports.ts'
import { mergeAndUndo, whole } from './invariants/play.ts'
import { seedsForRun } from './length.ts'
import { eraseIn } from './oracle/erasing.ts'
import { makeWorld } from './oracle/generate.ts'
import { Stage } from './oracle/player.ts'
import { createRandom } from './oracle/random.ts'
import { staleFiles } from './stale-exports.ts'

/** Export runs per world. */
const RUNS = 4
const seeds = seedsForRun(9719, 0, 4)

let app: TestApp
let stage: Stage
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whence-data-exports-'))
  app = await startTestApp({
    DATA_EXPORT_DIR: folder,
    INGEST_PER_SECOND: '1000000',
    INGEST_BURST: '1000000',
    RATE_LIMIT_BURST: '10000000',
  })
  stage = new Stage(app)
  await stage.open()
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

async function makeDestination(profileId: string): Promise<string> {
  const now = app.service.clock.now()
  const id = uuidv7(now)
  await inTransaction(app.service.db, (tx) =>
    insertDestination(tx, {
      profile_id: profileId,
      id,
      kind: 'file',
      name: 'World',
      target: JSON.stringify({ folder: 'world' }),
      secret: null,
      tables: [],
      include_identifiers: true,
      schedule: 'on_demand',
      enabled: true,
      created_at: now,
      updated_at: now,
    }),
  )
  return id
}

it.each(seeds)('files equal the reports in the world of seed %i', { timeout: 240_000 }, async (seed) => {
  const world = makeWorld(seed)
  const random = createRandom(seed)
  const player = await stage.enter(world)
  const { profileId } = player
  const destinationId = await makeDestination(profileId)
  const write = async (what: string) => {
    await player.settle()
    const now = app.service.clock.now()
    const run = await inTransaction(app.service.db, (tx) =>
      queueRun(tx, { profileId, destinationId, isFull: false, now }),
    )
    await runExportNow(app, profileId, run.id)
    expect(await staleFiles(app, profileId, destinationId), `SEED=${seed} WORLDS=1: ${what}`).toEqual([])
  }
  const worldFolder = join(folder, profileId, 'world')
  const compare = () =>
    compareReports(
      {
        folder: worldFolder,
        call: player.call,
        currency: world.currency,
        ranges: [whole, { date_from: '2026-02-01', date_to: '2026-04-10' }],
        months: { date_from: '2026-01-01', date_to: '2026-06-30' },
      },
      [models[seed % models.length]!, models[(seed + 2) % models.length]!],
    )
  const every = Math.ceil(world.steps.length / RUNS)
  for (const [index, step] of world.steps.entries()) {
    await player.play(step)
    if (index % every === every - 1) await write(`after ${step.type}`)
  }
  await write('the whole world')
  await compare()
  const customers = await customersOf(profileId)
  const [from, into] = random.shuffle(customers)
  if (from !== undefined && into !== undefined) {
    await mergeAndUndo(player, from, into)
    await write('merged and undone')
  }
  await player.changeSettings({ lookbackDays: 5, firstTouchLookbackDays: 9, halfLifeDays: 2 })
  await write('other settings')
  await compare()
  await player.recompute()
  await write('recomputed')
  const emails = ['person0@example.com', 'person1@example.com', 'second@example.com']
  await eraseIn(app, profileId, { kind: 'email', value: random.pick(emails) })
  await write('erased')
  await checkManifest(worldFolder)
  await compare()
})

async function customersOf(profileId: string): Promise<string[]> {
  const rows = await app.service.db
    .selectFrom('identifiers')
    .select('customer_id')
    .distinct()
    .where('profile_id', '=', profileId)
    .orderBy('customer_id')
    .execute()
  return rows.map(({ customer_id }) => customer_id)
}
