import {
  type ExportDestination,
  listExportDestinations,
  updateExportDestination,
} from '@whence/server/features/outgoing/exports/destinations/contract.ts'
import { sendTestEvent } from '@whence/server/features/outgoing/exports/test-event/contract.ts'
import { type ComponentProps, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileWrite } from '../../api/profile.ts'
import { plural } from '../../format/numbers.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { DestinationSettings } from './destination-settings.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { destinationTones, kindNames, platformTones, reasonText } from './reasons.ts'

type Query = ComponentProps<typeof Loaded<{ data: ExportDestination[] }>>['query']

export function Destinations({ query }: { query: Query }) {
  return (
    <Card title="Destinations" flush>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="send" title="Nothing is sent yet">
              Connect an ad account, then choose the dataset, conversion action or pixel that conversions go
              to.
            </Empty>
          ) : (
            <ul className="list">
              {data.map((destination) => (
                <DestinationRow key={destination.id} destination={destination} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function DestinationRow({ destination }: { destination: ExportDestination }) {
  const { id, kind, display_name, enabled, status, status_reason, waiting, last_run } = destination
  const { created_by_app, test_event_code } = destination
  const [open, setOpen] = useState<'preview' | 'settings' | null>(null)
  const update = useProfileWrite(updateExportDestination, [listExportDestinations])
  const test = useProfileWrite(sendTestEvent, [])
  const toast = useToast()
  const onError = (error: unknown) => toast(messageOf(error), 'bad')
  const target =
    destination.social_pixel_id ??
    destination.engine_conversion_action ??
    destination.shortvideo_pixel_code ??
    destination.microsoft_uet_tag_id ??
    destination.linkedin_conversion_id
  return (
    <li>
      <span className="grow">
        <strong>{display_name}</strong>
        <span className="sub">
          {kindNames[kind]} · {target}
          {waiting > 0 ? ` · ${plural(waiting, 'conversion')} waiting` : ''}
          {test_event_code ? ` · test code ${test_event_code}` : ''}
          {created_by_app ? ` · created by ${created_by_app.name}` : ''}
        </span>
        {last_run ? (
          <span className="sub">
            Last run: {last_run.sent} sent, {last_run.failed} refused, {last_run.skipped} skipped
          </span>
        ) : (
          <span className="sub">No conversion has been sent yet</span>
        )}
        {status_reason ? <span className="sub">{reasonText(status_reason)}</span> : null}
        {destination.warnings.map(({ code, conversions }) => (
          <span className="sub" key={code}>
            {`${plural(conversions, 'conversion')} of the last 7 days came from browsers that run your pixel. If it reports them too, ${kindNames[kind]} counts them twice: choose a shared event id in “Events and test code”.`}
          </span>
        ))}
      </span>
      {last_run?.provider_status ? (
        <Badge tone={platformTones[last_run.provider_status] ?? 'plain'}>
          Platform: {sentence(last_run.provider_status).toLowerCase()}
        </Badge>
      ) : null}
      <Badge tone={destinationTones[status]}>{sentence(status)}</Badge>
      <Button small onClick={() => setOpen('preview')}>
        Preview
      </Button>
      <Menu
        trigger={
          <Button kind="quiet" icon aria-label={`Actions for ${display_name}`}>
            <Icon name="more" />
          </Button>
        }
      >
        <MenuItem onSelect={() => setOpen('settings')}>Events and test code</MenuItem>
        <MenuItem
          disabled={test_event_code === null}
          onSelect={() =>
            test.mutate(
              { params: { id }, body: {} },
              {
                onSuccess: ({ data }) =>
                  data.accepted
                    ? toast(`${kindNames[kind]} took the test event ${data.event_name}`)
                    : toast(`${kindNames[kind]} refused the test event: ${data.message ?? data.code}`, 'bad'),
                onError,
              },
            )
          }
        >
          Send a test event
        </MenuItem>
        {status_reason === 'owner_decision_required' ? (
          <MenuItem onSelect={() => update.mutate({ params: { id }, body: { enabled: true } }, { onError })}>
            Approve
          </MenuItem>
        ) : null}
        <MenuItem
          onSelect={() => update.mutate({ params: { id }, body: { enabled: !enabled } }, { onError })}
        >
          {enabled ? 'Stop sending' : 'Send again'}
        </MenuItem>
      </Menu>
      {open === 'preview' ? <PreviewDialog destination={destination} onClose={() => setOpen(null)} /> : null}
      {open === 'settings' ? (
        <DestinationSettings destination={destination} onClose={() => setOpen(null)} />
      ) : null}
    </li>
  )
}
