import { listAlertLog } from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { dayText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { conditionText } from './alert-text.ts'
import { FigureLink } from './figure-link.tsx'

/** Fired alerts with their figures and recovery. */
export function AlertLog() {
  const { profile } = useProfileContext()
  const log = useProfileRead(listAlertLog, {}, { keep: true })
  return (
    <Card title="Log" note="Figures as of the day the alert fired." flush>
      <Loaded query={log}>
        {({ data }) => {
          const fired = data.filter(({ kind }) => kind === 'fired')
          if (fired.length === 0)
            return (
              <Empty icon="check" title="No alert has fired">
                Alerts are listed here for 400 days.
              </Empty>
            )
          return (
            <ul className="list">
              {fired.map((entry) => (
                <li key={entry.id} className="alert-rule">
                  <span className="alert-day">{dayText(entry.day, true)}</span>
                  <span className="grow">
                    <strong>{entry.name}</strong>
                    <span className="sub">
                      {conditionText(entry.condition, {
                        currency: profile.currency,
                        campaign: entry.campaign_name,
                      })}
                    </span>
                  </span>
                  <span className="alert-now">
                    <FigureLink figure={entry.figure} condition={entry.condition} />
                  </span>
                  {entry.is_muted ? <Badge>Muted, not sent</Badge> : null}
                  {entry.recovered_on === null ? (
                    <Badge tone="bad">Not recovered</Badge>
                  ) : (
                    <Badge tone="good">Recovered on {dayText(entry.recovered_on)}</Badge>
                  )}
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Card>
  )
}
