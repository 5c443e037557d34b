import { addDays } from '@whence/server/platform/contract/dates.ts'
import type { Range } from '../format/times.ts'

export type Preset = { id: string; label: string; range: (today: string) => Range }

const lastDays = (days: number) => (today: string) => ({ from: addDays(today, 1 - days), to: today })
const monthStart = (day: string) => `${day.slice(0, 7)}-01`

/** Presets of whole days, including today with the data so far. */
export const presets: readonly Preset[] = [
  { id: 'today', label: 'Today', range: (today) => ({ from: today, to: today }) },
  {
    id: 'yesterday',
    label: 'Yesterday',
    range: (today) => ({ from: addDays(today, -1), to: addDays(today, -1) }),
  },
  { id: '7d', label: 'Last 7 days', range: lastDays(7) },
  { id: '28d', label: 'Last 28 days', range: lastDays(28) },
  { id: '90d', label: 'Last 90 days', range: lastDays(90) },
  { id: 'month', label: 'This month', range: (today) => ({ from: monthStart(today), to: today }) },
  {
    id: 'last_month',
    label: 'Last month',
    range: (today) => {
      const to = addDays(monthStart(today), -1)
      return { from: monthStart(to), to }
    },
  },
  { id: 'year', label: 'This year', range: (today) => ({ from: `${today.slice(0, 4)}-01-01`, to: today }) },
]

export const DEFAULT_PRESET = '28d'

/** The range in the URL: its days, else its preset, else the default. */
export function rangeOf(
  search: { from?: string | undefined; to?: string | undefined; preset?: string | undefined },
  today: string,
): { range: Range; preset: Preset | undefined } {
  if (search.from && search.to && search.from <= search.to)
    return { range: { from: search.from, to: search.to }, preset: undefined }
  const requested = presets.find(({ id }) => id === search.preset)
  const preset = requested ?? presets.find(({ id }) => id === DEFAULT_PRESET)!
  return { range: preset.range(today), preset }
}
