import { type Connection, createCalendar, listCalendars, shareCalendar } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Calendars of a connected account. Those created through us can be shared. */
export function CalendarsDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const query = useProfileRead(listCalendars)
  const [form, setForm] = useState<'new' | string | null>(null)
  const close = () => setForm(null)
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Calendars of ${connection.display_name}`}
      note="Events with customers as guests count as appointments."
      wide
    >
      <Loaded query={query}>
        {({ data }) => {
          const calendars = data.filter(({ connection_id }) => connection_id === connection.id)
          return calendars.length === 0 ? (
            <Empty icon="calendar" title="No calendars yet">
              They appear after the first sync.
            </Empty>
          ) : (
            <ul className="list">
              {calendars.map((calendar) => (
                <li key={calendar.id}>
                  <span className="grow">
                    <strong>{calendar.name}</strong>
                    <span className="sub">
                      {[calendar.id, calendar.timezone].filter(Boolean).join(' · ')}
                    </span>
                  </span>
                  {calendar.is_primary ? <Badge>Main calendar</Badge> : null}
                  {calendar.is_managed ? (
                    <Button onClick={() => setForm(calendar.id)}>Share {calendar.name}</Button>
                  ) : null}
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
      {form === 'new' ? (
        <NewCalendar connectionId={connection.id} onClose={close} />
      ) : form !== null ? (
        <ShareCalendar id={form} onClose={close} />
      ) : connection.channel === 'engine_calendar' ? (
        <Button onClick={() => setForm('new')}>New calendar</Button>
      ) : null}
    </Dialog>
  )
}

function NewCalendar({ connectionId, onClose }: { connectionId: string; onClose: () => void }) {
  const create = useProfileWrite(createCalendar, [listCalendars])
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const { values, bind } = useFields({ name: '', timezone: timeZone })
  return (
    <Form
      action="Create calendar"
      write={create}
      onSubmit={() =>
        create.mutate({ body: { ...values, connection_id: connectionId } }, { onSuccess: onClose })
      }
      onCancel={onClose}
    >
      <Field label="Name" {...bind('name')} required />
      <Field label="Time zone" hint="For example Europe/Madrid" {...bind('timezone')} required />
    </Form>
  )
}

const roles = [
  { value: 'reader', label: 'See all details' },
  { value: 'writer', label: 'Change events' },
  { value: 'free_busy', label: 'See only free or busy' },
] as const
type Role = (typeof roles)[number]['value']

function ShareCalendar({ id, onClose }: { id: string; onClose: () => void }) {
  const share = useProfileWrite(shareCalendar)
  const { values, bind } = useFields<{ email: string; role: Role }>({ email: '', role: 'reader' })
  const toast = useToast()
  const submit = () =>
    share.mutate(
      { params: { id }, body: values },
      {
        onSuccess: () => {
          toast(`Shared with ${values.email}`)
          onClose()
        },
      },
    )
  return (
    <Form action="Share calendar" write={share} onSubmit={submit} onCancel={onClose}>
      <Field label="Email" type="email" {...bind('email')} required />
      <Choice label="Permission" options={roles} {...bind('role')} />
    </Form>
  )
}
