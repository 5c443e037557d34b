import type { DataOf, listNotifications } from '@whence/sdk'
import { count, plural } from '../format/numbers.ts'
import { providerName, sentence } from '../names/providers.ts'
import type { NavPage } from './navigation.ts'

export type Notification = DataOf<typeof listNotifications>[number]

/** Text of a notification and the page to act on it. */
export function textOf({ kind, subject, detail }: Notification): { text: string; to: NavPage['to'] } {
  const source = subject === null ? 'A connection' : providerName(subject)
  switch (kind) {
    case 'connection_broken':
      return { text: `${source} stopped: reconnect it`, to: '/p/$profileId/connections' }
    case 'connection_revoked':
      return { text: `${source} was disconnected`, to: '/p/$profileId/connections' }
    case 'connection_connected':
      return { text: `${source} is connected`, to: '/p/$profileId/connections' }
    case 'first_sync_done':
      return { text: `First sync of ${source} is done`, to: '/p/$profileId/overview' }
    case 'export_failed':
      return {
        text: `${plural(Number(detail ?? 0), 'conversion')} rejected by the ad platform`,
        to: '/p/$profileId/exports',
      }
    case 'recompute_done':
      return {
        text: `Recompute done: ${count(Number(detail ?? 0))} conversions credited`,
        to: '/p/$profileId/overview',
      }
    case 'data_problem':
      return {
        text: `The data check found ${plural(Number(detail ?? 0), 'problem')}`,
        to: '/p/$profileId/data-health',
      }
    case 'alert_fired':
      return { text: `Alert: ${subject ?? ''}`, to: '/p/$profileId/alerts' }
    case 'alert_recovered':
      return { text: `Recovered: ${subject ?? ''}`, to: '/p/$profileId/alerts' }
    case 'recommendation_opened':
      return {
        text: `New recommendation: ${sentence(detail ?? '')}${subject === null ? '' : ` – ${subject}`}`,
        to: '/p/$profileId/recommendations',
      }
  }
}
