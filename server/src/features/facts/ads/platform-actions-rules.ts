/** Which actions are possible for an entity in its current state. */
import type { AdLevel } from './entities.ts'

export type PlatformAction = 'pause' | 'resume' | 'budget'

export function platformActions(entity: {
  level: AdLevel
  status: string | null
  hasDailyBudget: boolean
}): PlatformAction[] {
  const isRunning = entity.status === 'ACTIVE' || entity.status === 'ENABLED'
  if (!isRunning && entity.status !== 'PAUSED') return []
  return [
    isRunning ? 'pause' : 'resume',
    ...(entity.level !== 'ad' && entity.hasDailyBudget ? (['budget'] as const) : []),
  ]
}
