import { Link } from '@tanstack/react-router'
import {
  type ExportDestination,
  listExportDestinations,
  sendTestEvent,
  updateExportDestination,
} from '@whence/sdk'
import { type ComponentProps, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext, useProfileWrite } from '../../api/profile.ts'
import { count, plural } from '../../format/numbers.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Stat } from '../../ui/stat.tsx'
import { useToast } from '../../ui/toast.tsx'
import { DestinationSettings } from './destination-settings.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { destinationTones, kindNames, platformTones, reasonText } from './reasons.ts'

type Query = ComponentProps<typeof Loaded<{ data: ExportDestination[] }>>['query']

export function Destinations({ query, onCreate }: { query: Query; onCreate: () => void }) {
  return (
    <Loaded query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <FirstDestination onCreate={onCreate} />
        ) : (
          <>
            <Counts destinations={data} />
            <Card title="Destinations" flush>
              <ul className="list">
                {data.map((destination) => (
                  <DestinationRow key={destination.id} destination={destination} />
                ))}
              </ul>
            </Card>
          </>
        )
      }
    </Loaded>
  )
}

/** Totals of all destinations: active, waiting, and results of the last runs. */
function Counts({ destinations }: { destinations: readonly ExportDestination[] }) {
  const sum = (figure: (destination: ExportDestination) => number) =>
    count(destinations.reduce((total, destination) => total + figure(destination), 0))
  const active = destinations.filter(({ enabled }) => enabled).length
  return (
    <dl className="grid-stats">
      <Stat label="Sending" value={`${active} of ${destinations.length}`} detail="destinations" />
      <Stat label="Waiting" value={sum(({ waiting }) => waiting)} detail="conversions for the next run" />
      <Stat label="Sent" value={sum(({ last_run }) => last_run?.sent ?? 0)} detail="in the last runs" />
      <Stat
        label="Rejected"
        value={sum(({ last_run }) => last_run?.failed ?? 0)}
        detail="by the platforms, in the last runs"
      />
    </dl>
  )
}

/** Empty state: why to add a destination, and the three steps. */
function FirstDestination({ onCreate }: { onCreate: () => void }) {
  const { profile } = useProfileContext()
  const params = { profileId: profile.id }
  return (
    <>
      <Card>
        <Empty
          icon="send"
          title="Nothing is sent yet"
          actions={
            <Button kind="primary" onClick={onCreate}>
              <Icon name="plus" size={16} />
              New destination
            </Button>
          }
        >
          Ad platforms can find people like your buyers when they know which clicks became sales. They receive
          only hashes of contact data.
        </Empty>
      </Card>
      <ol className="guide">
        <li className="card">
          <span className="guide-number" aria-hidden="true">
            1
          </span>
          <h2>Connect an ad account</h2>
          <p className="muted">Meta, Google Ads, Microsoft Ads or LinkedIn. TikTok needs an access token.</p>
          <Link to="/p/$profileId/connections" params={params} className="small">
            See connections
          </Link>
        </li>
        <li className="card">
          <span className="guide-number" aria-hidden="true">
            2
          </span>
          <h2>Choose where conversions go</h2>
          <p className="muted">A dataset, a conversion action or a pixel of the account.</p>
          <button type="button" className="link small" onClick={onCreate}>
            Add a destination
          </button>
        </li>
        <li className="card">
          <span className="guide-number" aria-hidden="true">
            3
          </span>
          <h2>Decide what is shared</h2>
          <p className="muted">Which goals, with or without their value, and what happens without consent.</p>
          <Link to="/p/$profileId/exports" params={params} search={{ tab: 'catalog' }} className="small">
            Open data sharing
          </Link>
        </li>
      </ol>
    </>
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
            Last run: {last_run.sent} sent, {last_run.failed} rejected, {last_run.skipped} skipped
          </span>
        ) : (
          <span className="sub">No conversions sent yet</span>
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
                    ? toast(`${kindNames[kind]} accepted the test event ${data.event_name}`)
                    : toast(
                        `${kindNames[kind]} rejected the test event: ${data.message ?? data.code}`,
                        'bad',
                      ),
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
          {enabled ? 'Stop sending' : 'Resume sending'}
        </MenuItem>
      </Menu>
      {open === 'preview' ? <PreviewDialog destination={destination} onClose={() => setOpen(null)} /> : null}
      {open === 'settings' ? (
        <DestinationSettings destination={destination} onClose={() => setOpen(null)} />
      ) : null}
    </li>
  )
}
