import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { attribute, type Touch } from './journey.ts'
import { type AttributionSettings, defaultSettings, models } from './models.ts'

type GoldenTouch = { id: string; occurredAt: string; recordedAt?: string; isDirect?: boolean }
type Golden = {
  name: string
  settings?: AttributionSettings
  conversion: { occurredAt: string; amountMinor: number }
  touches: GoldenTouch[]
  /** Model → touch → minor units, calculated independently in exact arithmetic. */
  expected: Record<string, Record<string, number>>
}

function toTouch({ id, occurredAt, recordedAt = occurredAt, isDirect = false }: GoldenTouch): Touch {
  return { id, occurredAt: Date.parse(occurredAt), recordedAt: Date.parse(recordedAt), isDirect }
}

const journeys: Golden[] = JSON.parse(
  readFileSync(new URL('../golden/journeys.json', import.meta.url), 'utf8'),
)

describe('golden journeys', () => {
  it.each(journeys)('$name', ({ settings = defaultSettings, conversion, touches, expected }) => {
    const occurredAt = Date.parse(conversion.occurredAt)
    const { perModel } = attribute({ ...conversion, occurredAt }, touches.map(toTouch), settings)
    const money = models.map((model) => [
      model,
      Object.fromEntries(
        perModel[model].map(({ touchIndex, amountMinor }) => [touches[touchIndex]!.id, amountMinor]),
      ),
    ])
    expect(Object.fromEntries(money)).toEqual(expected)
  })
})
