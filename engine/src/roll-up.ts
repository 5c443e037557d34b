/** Adds one journey's credits to the rollups: counted once per entity at each level, money as credited. */
import type { Chunk } from './chunk.ts'
import type { Credits, ModelColumns } from './credits.ts'
import {
  FIRST_TOUCH,
  LAST_NON_DIRECT,
  LAST_TOUCH,
  LINEAR,
  MODEL_COUNT,
  NO_ENTITY,
  TIME_DECAY,
} from './models.ts'
import { packKey, ROW_WIDTH, type Rollups, SLOT_ROW, SLOT_SERIAL } from './rollups.ts'

/** What of a conversion goes to which day; `shift` leads from a credit's place to its amount's. */
export type RollUp = {
  conversion: number
  day: number
  amountMinor: number
  amounts: ModelColumns
  shift: number
  /** 1 for the conversion itself; 0 for a refund, which is money only. */
  counted: number
  /** A number no other call uses: it marks the rows that this journey was already counted in. */
  serial: number
}

export function rollUp(rollups: Rollups, chunk: Chunk, credits: Credits, part: RollUp): void {
  const { conversion, shift, counted, serial } = part
  const start = credits.start[conversion]!
  const end = credits.start[conversion + 1]!
  rollups.reserve(3 * (end - start + 1))
  const { slots, numbers } = rollups
  const { touch } = credits
  const lastWeight = credits.weight[LAST_TOUCH]
  const firstWeight = credits.weight[FIRST_TOUCH]
  const linearWeight = credits.weight[LINEAR]
  const nonDirectWeight = credits.weight[LAST_NON_DIRECT]
  const linearAmount = part.amounts[LINEAR]
  const decayAmount = part.amounts[TIME_DECAY]
  const outcomeType = chunk.conversionOutcomeType[conversion]!

  for (let level = 0; level < 3; level++) {
    const entities = level === 0 ? chunk.touchCampaign : level === 1 ? chunk.touchAdSet : chunk.touchAd
    const packed = packKey(part.day, outcomeType, level)
    let hasFirst = false
    let known = NO_ENTITY - 1
    let slot = 0
    let counts = 0
    let values = 0
    for (let credit = start; credit < end; credit++) {
      const entity = entities[touch[credit]!]!
      if (entity !== known) {
        known = entity
        slot = rollups.slot(entity, packed)
        counts = (slots[slot + SLOT_ROW]! - 1) * ROW_WIDTH
        values = counts + MODEL_COUNT
      }
      if (linearWeight[credit]! > 0) {
        if (slots[slot + SLOT_SERIAL] !== serial) {
          slots[slot + SLOT_SERIAL] = serial
          numbers[counts + LINEAR]! += counted
          numbers[counts + TIME_DECAY]! += counted
        }
        numbers[values + LINEAR]! += linearAmount[credit + shift]!
        numbers[values + TIME_DECAY]! += decayAmount[credit + shift]!
      }
      if (lastWeight[credit]! > 0) {
        numbers[counts + LAST_TOUCH]! += counted
        numbers[values + LAST_TOUCH]! += part.amountMinor
      }
      if (firstWeight[credit]! > 0) {
        hasFirst = true
        numbers[counts + FIRST_TOUCH]! += counted
        numbers[values + FIRST_TOUCH]! += part.amountMinor
      }
      if (nonDirectWeight[credit]! > 0) {
        numbers[counts + LAST_NON_DIRECT]! += counted
        numbers[values + LAST_NON_DIRECT]! += part.amountMinor
      }
    }
    const isCredited = credits.linearTotal[conversion]! > 0
    if (isCredited && hasFirst) continue
    const none = (slots[rollups.slot(NO_ENTITY, packed) + SLOT_ROW]! - 1) * ROW_WIDTH
    for (let model = 0; model < MODEL_COUNT; model++) {
      if (model === FIRST_TOUCH ? hasFirst : isCredited) continue
      numbers[none + model]! += counted
      numbers[none + MODEL_COUNT + model]! += part.amountMinor
    }
  }
}
