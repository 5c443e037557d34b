import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { instantText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import type { HubQuery, Schedule } from './hub.ts'
import { weekdays } from './options.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'

const whenText = (schedule: Schedule) =>
  schedule.cadence === 'weekly'
    ? `Every ${weekdays[schedule.weekday - 1]} at ${schedule.time}`
    : `Monthly on day ${schedule.day} at ${schedule.time}`

const columns: Column<Schedule>[] = [
  {
    id: 'profile',
    label: 'Profile',
    value: (schedule) => schedule.profile_name,
    cell: (schedule) => (
      <>
        {schedule.profile_name}
        <span className="sub">{whenText(schedule)}</span>
      </>
    ),
  },
  {
    id: 'state',
    label: 'State',
    cell: (schedule) => (
      <>
        <Badge tone={schedule.enabled ? 'good' : 'plain'}>{schedule.enabled ? 'On' : 'Off'}</Badge>
        {schedule.approval ? <span className="sub">With approval</span> : null}
      </>
    ),
  },
  {
    id: 'recipients',
    label: 'Recipients',
    cell: (schedule) => <span className="wrapped">{schedule.recipients.join(', ')}</span>,
  },
  {
    id: 'next',
    label: 'Next',
    value: (schedule) => schedule.next_run_at,
    cell: (schedule) => (schedule.next_run_at === null ? '–' : instantText(schedule.next_run_at)),
  },
]

export function Schedules({ hub, isAdmin }: { hub: HubQuery; isAdmin: boolean }) {
  const { profile } = useProfileContext()
  const [isOpen, setOpen] = useState(false)
  const button = isAdmin ? <Button onClick={() => setOpen(true)}>Set schedule</Button> : null
  const isEmpty = hub.data?.data.schedules.length === 0
  const existing = hub.data?.data.schedules.find((schedule) => schedule.profile_id === profile.id)
  return (
    <Card
      title="Schedules"
      note="In each profile’s time zone. If data is missing, a report waits up to a day and the owners get an email."
      actions={isEmpty ? null : button}
      flush
    >
      <Loaded query={hub}>
        {({ data }) =>
          data.schedules.length === 0 ? (
            <Empty icon="calendar" title="No schedules yet" actions={button}>
              Send every client a report each week or month.
            </Empty>
          ) : (
            <DataTable
              label="Schedules"
              columns={columns}
              rows={data.schedules}
              rowKey={(schedule) => schedule.profile_id}
            />
          )
        }
      </Loaded>
      {isOpen ? <ScheduleDialog schedule={existing} onClose={() => setOpen(false)} /> : null}
    </Card>
  )
}
