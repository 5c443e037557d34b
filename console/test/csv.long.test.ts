/** The CSV file of the campaigns page has exactly the figures of the report. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseCsv } from '../../server/src/platform/csv.ts'
import { openStage, play, whole } from '../../server/test/invariants/play.ts'
import { makeWorld } from '../../server/test/oracle/generate.ts'
import type { Stage } from '../../server/test/oracle/player.ts'

/** Imported by URL, because the pages have their own compiler options. */
const page: string = new URL('../src/pages/campaigns/csv.ts', import.meta.url).href

const SEED = Number(process.env.SEED ?? 7001)

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.app.close())

it(`has the rows, the remainder and the outcomes of the API in the world of seed ${SEED}`, {
  timeout: 120_000,
}, async () => {
  const { toCsv } = (await import(page)) as {
    toCsv: (rows: readonly object[], rest: object, currency: string) => string
  }
  const world = makeWorld(SEED)
  const { reader } = await play(stage, world)
  const { models } = await reader.amounts(whole, ['linear', 'last_touch'])
  for (const model of ['linear', 'last_touch'] as const)
    for (const { rows, rest } of Object.values(models[model].levels)) {
      const [head, ...lines] = parseCsv(toCsv(rows, rest, world.currency))!
      const all = [...rows, { campaign_name: 'Unattributed', ...rest }]
      expect(lines).toHaveLength(all.length)
      for (const [index, row] of all.entries())
        for (const [column, name] of head!.entries()) {
          const value = { currency: world.currency, ...row.attributed_outcomes_by_type, ...row }[
            name as 'currency'
          ]
          const isOutcome = all.some((entry) => name in entry.attributed_outcomes_by_type)
          expect(lines[index]![column], `${model} ${name}`).toBe(String(value ?? (isOutcome ? 0 : '')))
        }
    }
})
