/** Validation of partial updates of campaign groups, campaigns and creatives. */
import type { SandboxReply } from '../sandbox.ts'
import { refuse } from './refusals.ts'

const changeable: Record<string, readonly string[]> = {
  adCampaignGroups: ['status', 'dailyBudget', 'totalBudget'],
  adCampaigns: ['status', 'dailyBudget', 'totalBudget'],
  creatives: ['intendedStatus'],
}
const statuses = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'CANCELED', 'DRAFT']

const isAmount = (value: unknown, currency: string): boolean => {
  const { amount, currencyCode } = (value ?? {}) as { amount?: unknown; currencyCode?: unknown }
  return typeof amount === 'string' && /^\d+(\.\d+)?$/.test(amount) && currencyCode === currency
}

export function refusalOfChange(
  list: string,
  currency: string,
  fields: Record<string, unknown>,
): SandboxReply | null {
  const names = Object.keys(fields)
  const bad = names.find((name) => !changeable[list]?.includes(name))
  if (names.length === 0 || bad !== undefined)
    return refuse(400, 'FIELD_VALUE_INVALID', `The field ${bad ?? '$set'} cannot be updated`)
  for (const [name, value] of Object.entries(fields)) {
    const isFine = name.endsWith('Budget') ? isAmount(value, currency) : statuses.includes(String(value))
    if (!isFine) return refuse(400, 'FIELD_VALUE_INVALID', `Invalid value for ${name}`)
  }
  return null
}
