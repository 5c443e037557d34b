import { type Alert, deleteAlert, listAlertLog, listAlerts, updateAlert } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { dayText, instantText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ReceiveBrief } from '../overview/receive-brief.tsx'
import { AlertForm } from './alert-form.tsx'
import { AlertLog } from './alert-log.tsx'
import { conditionText, isMuted, reasonText } from './alert-text.ts'
import { FigureLink } from './figure-link.tsx'

const MUTE_DAYS = 7

/** Alert rules and the log of fired alerts. */
export function Alerts() {
  const alerts = useProfileRead(listAlerts, {}, { keep: true })
  const [editing, setEditing] = useState<Alert | 'new' | null>(null)
  const [deleting, setDeleting] = useState<Alert | null>(null)
  const [showRecipients, setShowRecipients] = useState(false)
  const remove = useProfileWrite(deleteAlert, [listAlerts, listAlertLog])
  return (
    <Page
      title="Alerts"
      note="Alerts are checked once a day, when the day’s data is complete. An alert that has fired stays silent until its figure recovers."
      actions={
        <>
          <Button onClick={() => setShowRecipients(true)}>Recipients</Button>
          <Button kind="primary" onClick={() => setEditing('new')}>
            <Icon name="plus" size={16} />
            New alert
          </Button>
        </>
      }
    >
      <Card title="Rules" flush>
        <Loaded query={alerts}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty
                icon="bell"
                title="No alerts yet"
                actions={
                  <Button kind="primary" onClick={() => setEditing('new')}>
                    Create your first alert
                  </Button>
                }
              >
                Get a message when revenue drops, ads cost too much or data stops arriving.
              </Empty>
            ) : (
              <ul className="list">
                {data.map((alert) => (
                  <Rule
                    key={alert.id}
                    alert={alert}
                    onEdit={() => setEditing(alert)}
                    onDelete={() => setDeleting(alert)}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      <AlertLog />
      {editing ? (
        <AlertForm alert={editing === 'new' ? undefined : editing} onClose={() => setEditing(null)} />
      ) : null}
      {showRecipients ? <ReceiveBrief onClose={() => setShowRecipients(false)} /> : null}
      {deleting ? (
        <Confirm
          title={`Delete ${deleting.name}?`}
          action="Delete alert"
          onConfirm={() => remove.mutateAsync({ params: { id: deleting.id } })}
          onClose={() => setDeleting(null)}
        >
          Past alerts stay in the log.
        </Confirm>
      ) : null}
    </Page>
  )
}

function Rule({ alert, onEdit, onDelete }: { alert: Alert; onEdit: () => void; onDelete: () => void }) {
  const { profile } = useProfileContext()
  const update = useProfileWrite(updateAlert, [listAlerts])
  const { condition, figure } = alert
  const muted = isMuted(alert)
  const change = (body: { enabled?: boolean; mute_days?: number }) =>
    update.mutate({ params: { id: alert.id }, body })
  const why = figure === null ? null : reasonText(figure)
  return (
    <li className="alert-rule">
      <span className="grow">
        <strong>{alert.name}</strong>
        <span className="sub">
          {conditionText(condition, { currency: profile.currency, campaign: alert.campaign_name })}
        </span>
        {alert.held === null ? null : <span className="sub">Waiting: {alert.held}</span>}
        {muted ? (
          <span className="sub">Muted until {instantText(alert.muted_until, profile.timezone)}</span>
        ) : null}
        {update.error ? <Notice tone="bad">{messageOf(update.error)}</Notice> : null}
      </span>
      {figure === null ? (
        <span className="sub">Not checked yet</span>
      ) : (
        <span className="alert-now">
          <FigureLink figure={figure} condition={condition} />
          {why === null ? null : <span className="sub">{why}</span>}
        </span>
      )}
      <State alert={alert} muted={muted} />
      <span className="toolbar">
        {alert.enabled ? (
          <Button
            small
            busy={update.isPending}
            title={muted ? undefined : `For ${MUTE_DAYS} days`}
            aria-label={`${muted ? 'Unmute' : 'Mute'} ${alert.name}`}
            onClick={() => change({ mute_days: muted ? 0 : MUTE_DAYS })}
          >
            {muted ? 'Unmute' : 'Mute'}
          </Button>
        ) : null}
        <Button small aria-label={`Edit ${alert.name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button
          small
          aria-label={`${alert.enabled ? 'Pause' : 'Resume'} ${alert.name}`}
          onClick={() => change({ enabled: !alert.enabled })}
        >
          {alert.enabled ? 'Pause' : 'Resume'}
        </Button>
        <Button small aria-label={`Delete ${alert.name}`} onClick={onDelete}>
          Delete
        </Button>
      </span>
    </li>
  )
}

function State({ alert, muted }: { alert: Alert; muted: boolean }) {
  if (!alert.enabled) return <Badge>Paused</Badge>
  if (alert.state === 'firing')
    return (
      <Badge tone="bad">
        Firing{alert.fired_on === null ? '' : ` since ${dayText(alert.fired_on)}`}
        {muted ? ', muted' : ''}
      </Badge>
    )
  if (alert.evaluated_through === null) return <Badge>Waiting for the first check</Badge>
  return <Badge tone="good">OK</Badge>
}
