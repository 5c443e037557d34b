/** Groups a conversion's credit by entity of one level: the entity's money is the sum over its touches. */
import type { Conversion, Credit } from './journey.ts'
import { type Level, NO_ENTITY } from './models.ts'

/** Entity indexes of a touch, or NO_ENTITY. */
export type TouchEntities = { campaign: number; adSet: number; ad: number }
export type EntityCredit = { entity: number; weight: number; totalWeight: number; amountMinor: number }

const field = { campaign: 'campaign', ad_set: 'adSet', ad: 'ad' } as const satisfies Record<
  Level,
  keyof TouchEntities
>

/** Credit without an entity, and conversions without credit, are assigned to NO_ENTITY. */
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
    const credit = perEntity.get(entity)
    if (!credit) {
      perEntity.set(entity, { entity, weight, totalWeight, amountMinor })
      continue
    }
    credit.weight += weight
    credit.amountMinor += amountMinor
  }
  return [...perEntity.values()]
}
