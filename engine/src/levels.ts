/** A conversion's credit per entity of one level: counted once per entity, its money the sum of its touches' shares. */
import type { Conversion, Credit } from './journey.ts'
import { type Level, NO_ENTITY } from './models.ts'

/** Entity indexes the touch names; NO_ENTITY where it names none. */
export type TouchEntities = { campaign: number; adSet: number; ad: number }
export type EntityCredit = { entity: number; weight: number; totalWeight: number; amountMinor: number }

const field = { campaign: 'campaign', ad_set: 'adSet', ad: 'ad' } as const satisfies Record<
  Level,
  keyof TouchEntities
>

/** Credit that names no entity, and a conversion without credit as a whole, go to NO_ENTITY. */
export function creditPerEntity(
  conversion: Conversion,
  credits: readonly Credit[],
  touches: readonly TouchEntities[],
  level: Level,
): EntityCredit[] {
  if (credits.length === 0) {
    return [{ entity: NO_ENTITY, weight: 1, totalWeight: 1, amountMinor: conversion.amountMinor }]
  }
  const perEntity = new Map<number, EntityCredit>()
  for (const { touchIndex, weight, totalWeight, amountMinor } of credits) {
    const entity = touches[touchIndex]![field[level]]
    const known = perEntity.get(entity)
    if (!known) {
      perEntity.set(entity, { entity, weight, totalWeight, amountMinor })
      continue
    }
    known.weight += weight
    known.amountMinor += amountMinor
  }
  return [...perEntity.values()]
}
