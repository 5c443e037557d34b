import { type Connection, disconnectConnection, listConnections, startSync } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileWrite } from '../../api/profile.ts'
import { PlatformMark } from '../../names/platform-mark.tsx'
import { connectionName, type Provider, vendorOf } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { CalendarsDialog } from './calendars-dialog.tsx'
import { healthOf } from './health.ts'
import { PixelsDialog } from './pixels-dialog.tsx'
import { StagesDialog } from './stages.tsx'
import { SyncLine } from './sync-line.tsx'

export function ConnectionRow({
  connection,
  onReconnect,
}: {
  connection: Connection
  onReconnect: (broken: Connection) => void
}) {
  const [confirmingDisconnect, setConfirmingDisconnect] = useState(false)
  const [dialog, setDialog] = useState<'stages' | 'pixels' | 'calendars' | null>(null)
  const sync = useProfileWrite(startSync, [listConnections])
  const disconnect = useProfileWrite(disconnectConnection, [listConnections])
  const toast = useToast()
  const health = healthOf(connection)
  const name = connectionName(connection)
  const vendor = vendorOf(connection.channel, connection.provider_subtype)
  const reconnect = () => onReconnect(connection)
  const start = () =>
    sync.mutate(
      { body: { connection_id: connection.id } },
      {
        onSuccess: () => toast(`${name} is syncing`),
        onError: (error: unknown) => toast(messageOf(error), 'bad'),
      },
    )
  return (
    <li>
      <PlatformMark id={vendor ?? connection.channel} />
      <span className="grow">
        <strong>{name}</strong>
        <span className="sub">
          {connection.display_name}
          {vendor === undefined && connection.display_name !== connection.external_id
            ? ` · account ${connection.external_id}`
            : null}
        </span>
        {vendor === undefined ? <SyncLine sync={connection.sync} /> : null}
        {connection.missing_abilities.map(({ ability, reason }) => (
          <span className="sub" key={ability}>
            {reason}
          </span>
        ))}
      </span>
      <Badge tone={health.tone}>{health.label}</Badge>
      {health.reconnect ? <Button onClick={reconnect}>Reconnect</Button> : null}
      <Menu
        trigger={
          <Button kind="quiet" icon aria-label={`Actions for ${name}, ${connection.display_name}`}>
            <Icon name="more" />
          </Button>
        }
      >
        {vendor === undefined ? (
          <MenuItem onSelect={start} disabled={connection.status === 'revoked'}>
            <Icon name="refresh" size={16} />
            Sync now
          </MenuItem>
        ) : null}
        {connection.channel === 'crmsuite' || connection.channel === 'hubspot' ? (
          <MenuItem onSelect={() => setDialog('stages')} disabled={connection.status === 'revoked'}>
            <Icon name="goal" size={16} />
            What each stage means
          </MenuItem>
        ) : null}
        {connection.channel === 'social_ads' ? (
          <MenuItem onSelect={() => setDialog('pixels')} disabled={connection.status === 'revoked'}>
            <Icon name="tracking" size={16} />
            Pixels of this account
          </MenuItem>
        ) : null}
        {connection.channel === 'engine_calendar' || connection.channel === 'external_calendar' ? (
          <MenuItem onSelect={() => setDialog('calendars')} disabled={connection.status === 'revoked'}>
            <Icon name="calendar" size={16} />
            Calendars of this account
          </MenuItem>
        ) : null}
        <MenuItem
          danger
          disabled={connection.status === 'revoked'}
          onSelect={() => setConfirmingDisconnect(true)}
        >
          <Icon name="close" size={16} />
          Disconnect
        </MenuItem>
      </Menu>
      {dialog === 'stages' ? (
        <StagesDialog provider={connection.channel as Provider} onClose={() => setDialog(null)} />
      ) : null}
      {dialog === 'pixels' ? (
        <PixelsDialog connectionId={connection.id} onClose={() => setDialog(null)} />
      ) : null}
      {dialog === 'calendars' ? (
        <CalendarsDialog connection={connection} onClose={() => setDialog(null)} />
      ) : null}
      {confirmingDisconnect ? (
        <Confirm
          title={`Disconnect ${connection.display_name} at ${name}?`}
          action="Disconnect"
          onConfirm={() => disconnect.mutateAsync({ params: { id: connection.id } })}
          onClose={() => setConfirmingDisconnect(false)}
        >
          {vendor === undefined
            ? 'No new data is read. Data read so far stays in your reports.'
            : 'Reports and emails are no longer sent from this mailbox.'}
        </Confirm>
      ) : null}
    </li>
  )
}
