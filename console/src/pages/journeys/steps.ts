import { channelName } from '../../names/providers.ts'

const names: Record<string, string> = {
  earlier: 'Earlier visits',
  sale: 'Payment',
  not_creditable: 'Goal is never credited',
}

/** Display name of a step. */
export const stepName = (step: string): string => names[step] ?? channelName(step)
export const pathName = (steps: readonly string[]): string => steps.map(stepName).join(' → ')
