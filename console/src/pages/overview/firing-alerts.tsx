import { Link } from '@tanstack/react-router'
import { listAlerts } from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { plural } from '../../format/numbers.ts'
import { Notice } from '../../ui/notice.tsx'
import { isMuted } from '../alerts/alert-text.ts'

/** Firing alerts that are not muted, if any. */
export function FiringAlerts() {
  const { profile } = useProfileContext()
  const alerts = useProfileRead(listAlerts, {}, { keep: true })
  const firing = (alerts.data?.data ?? []).filter(
    (alert) => alert.enabled && alert.state === 'firing' && !isMuted(alert),
  )
  if (firing.length === 0) return null
  return (
    <Notice tone="warn">
      <Link to="/p/$profileId/alerts" params={{ profileId: profile.id }}>
        {plural(firing.length, 'alert is', 'alerts are')} firing
      </Link>
      : {firing.map(({ name }) => name).join(', ')}
    </Notice>
  )
}
