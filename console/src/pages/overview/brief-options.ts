import { weekdays } from '../client-reports/options.ts'

export const cadenceOptions = [
  { value: 'daily', label: 'Daily, about yesterday' },
  { value: 'weekly', label: 'Weekly, about the last 7 days' },
  { value: 'never', label: 'Never' },
]
export const weekdayOptions = weekdays.map((label, index) => ({ value: String(index + 1), label }))
