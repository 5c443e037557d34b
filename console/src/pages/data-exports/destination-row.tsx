import {
  type DataOf,
  deleteDataDestination,
  listDataDestinations,
  listDataRuns,
  startDataRun,
  testDataDestination,
  updateDataDestination,
} from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileWrite } from '../../api/profile.ts'
import { count, plural } from '../../format/numbers.ts'
import { agoText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'

type Destination = DataOf<typeof listDataDestinations>[number]

const schedules = { hourly: 'every hour', daily: 'every day', on_demand: 'on demand' } as const

function targetText({ target }: Destination): string {
  return 'folder' in target
    ? `folder ${target.folder}`
    : `${target.bucket}/${target.prefix} at ${target.endpoint}`
}

export function DestinationRow({ destination }: { destination: Destination }) {
  const { id, name, enabled, last_error, files, erasures_waiting } = destination
  const stale = [listDataDestinations, listDataRuns]
  const start = useProfileWrite(startDataRun, stale)
  const update = useProfileWrite(updateDataDestination, stale)
  const test = useProfileWrite(testDataDestination)
  const remove = useProfileWrite(deleteDataDestination, stale)
  const [deleting, setDeleting] = useState(false)
  const toast = useToast()
  const onError = (error: unknown) => toast(messageOf(error), 'bad')
  const params = { id }
  const write = (full: boolean) =>
    start.mutate(
      { body: { destination_id: id, full } },
      { onSuccess: () => toast('The run is queued'), onError },
    )
  return (
    <li>
      <span className="grow">
        <strong>{name}</strong>
        <span className="sub">
          {targetText(destination)} · {schedules[destination.schedule]} · {plural(files, 'file')},{' '}
          {count(Math.round(destination.bytes / 1000))} kB · last written{' '}
          {agoText(destination.last_completed_at)}
        </span>
        {last_error ? <span className="sub">{last_error}</span> : null}
        {erasures_waiting > 0 ? (
          <span className="sub">
            Files still contain {plural(erasures_waiting, 'erased person', 'erased people')}
          </span>
        ) : null}
      </span>
      <Badge tone={!enabled ? 'plain' : last_error ? 'bad' : 'good'}>
        {!enabled ? 'Off' : last_error ? 'Failed' : 'On'}
      </Badge>
      <Button small disabled={!enabled} onClick={() => write(false)}>
        Write now
      </Button>
      <Menu
        trigger={
          <Button kind="quiet" icon aria-label={`Actions for ${name}`}>
            <Icon name="more" />
          </Button>
        }
      >
        <MenuItem
          onSelect={() =>
            test.mutate(
              { params },
              {
                onSuccess: ({ data }) =>
                  toast(
                    data.error ?? 'Test passed: a file was written and removed',
                    data.ok ? 'good' : 'bad',
                  ),
                onError,
              },
            )
          }
        >
          Test
        </MenuItem>
        <MenuItem disabled={!enabled} onSelect={() => write(true)}>
          Write everything again
        </MenuItem>
        <MenuItem onSelect={() => update.mutate({ params, body: { enabled: !enabled } }, { onError })}>
          {enabled ? 'Switch off' : 'Switch on'}
        </MenuItem>
        <MenuItem danger onSelect={() => setDeleting(true)}>
          Delete
        </MenuItem>
      </Menu>
      {deleting ? (
        <Confirm
          title="Delete this destination?"
          action="Delete"
          onConfirm={() => remove.mutateAsync({ params })}
          onClose={() => setDeleting(false)}
        >
          No more files are written to {name}. Existing files stay there.
        </Confirm>
      ) : null}
    </li>
  )
}
