import { weekdays } from '../client-reports/options.ts'

export const cadenceOptions = [
  { value: 'daily', label: 'Every day, about yesterday' },
  { value: 'weekly', label: 'Every week, about the last 7 days' },
  { value: 'never', label: 'Never' },
]
export const weekdayOptions = weekdays.map((label, index) => ({ value: String(index + 1), label }))
