import type { LiveReport } from '@whence/sdk'

/** Options of a report with their labels. */
export const formatOptions = [
  { value: 'pdf', label: 'PDF' },
  { value: 'html', label: 'Web page' },
  { value: 'csv', label: 'Spreadsheet (CSV)' },
]
export const languageOptions = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Spanish' },
]
export const periodOptions = [
  { value: 'last_7_days', label: '7 days to yesterday' },
  { value: 'last_28_days', label: '28 days to yesterday' },
  { value: 'last_30_days', label: '30 days to yesterday' },
  { value: 'last_month', label: 'Last month' },
]
export const scopeOptions = (profileName: string) => [
  { value: 'one', label: profileName },
  { value: 'all', label: 'All profiles of the workspace' },
]
export const reportNames: Record<LiveReport, string> = {
  summary: 'Key figures',
  trend: 'Revenue and spend per day',
  changes: 'What changed',
  campaigns: 'Campaigns',
  channels: 'Channels',
}
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Addresses separated by commas, spaces or line ends. */
export function addressesOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((address) => address !== '')
}
