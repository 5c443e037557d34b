import { Link } from '@tanstack/react-router'
import type { DataOf, getCustomer } from '@whence/sdk'
import { money } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { providerName, sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { touchName, touchPath } from '../why/touch-names.ts'

type Entry = DataOf<typeof getCustomer>['journey'][number]

/** Visits, replies, conversions and payments of one customer, newest last. */
export function Journey({
  entries,
  profileId,
  timeZone,
}: {
  entries: readonly Entry[]
  profileId: string
  timeZone: string
}) {
  const devices = [
    ...new Set(entries.flatMap((entry) => (entry.kind === 'touch' ? entry.identifier_id : []))),
  ]
  return (
    <ol className="timeline">
      {entries.map((entry) => (
        <li
          key={keyOf(entry)}
          className={entry.kind === 'touch' || entry.kind === 'reply' ? 'credited' : 'conversion'}
        >
          <div className="timeline-time">
            <time dateTime={entry.occurred_at}>{instantText(entry.occurred_at, timeZone)}</time>
            {entry.kind === 'touch' && devices.length > 1 ? (
              <span className="faint">Device {devices.indexOf(entry.identifier_id) + 1}</span>
            ) : null}
          </div>
          <div className="timeline-what">
            <EntryText entry={entry} />
          </div>
          <div className="timeline-credit">
            <RelatedLinks entry={entry} profileId={profileId} />
          </div>
        </li>
      ))}
    </ol>
  )
}

function keyOf(entry: Entry): string {
  switch (entry.kind) {
    case 'touch':
      return entry.touch_id
    case 'conversion':
      return entry.conversion_id
    case 'payment':
      return `payment ${entry.payment_id}`
    case 'reply':
      return entry.message_id
  }
}

function EntryText({ entry }: { entry: Entry }) {
  switch (entry.kind) {
    case 'touch':
      return (
        <>
          <strong>{touchName(entry)}</strong>
          <span className="sub">
            {[touchPath(entry), entry.landing_path, entry.referrer_host].filter(Boolean).join(' · ')}
          </span>
        </>
      )
    case 'conversion':
      return (
        <>
          <strong>
            <Icon name="check" size={16} /> {sentence(entry.outcome_type)}
          </strong>
          {entry.duplicate_of ? (
            <span className="sub">Same order as another record, so not counted again</span>
          ) : null}
          {entry.unconfirmed ? (
            <span className="sub">Reported only by the browser, so not counted</span>
          ) : null}
        </>
      )
    case 'payment':
      return (
        <>
          <strong>
            <Icon name="payments" size={16} /> Payment
          </strong>
          <span className="sub">
            {providerName(entry.provider)} · {sentence(entry.status)}
          </span>
        </>
      )
    case 'reply':
      return (
        <>
          <strong>
            <Icon name="message" size={16} /> Your reply
          </strong>
          {entry.template === null ? null : <span className="sub">Template {entry.template}</span>}
        </>
      )
  }
}

function RelatedLinks({ entry, profileId }: { entry: Entry; profileId: string }) {
  if (entry.kind === 'touch') return entry.reported ? <Badge>Reported</Badge> : null
  if (entry.kind === 'reply')
    return (
      <Link
        to="/p/$profileId/conversations/$conversationId"
        params={{ profileId, conversationId: entry.conversation_id }}
      >
        Conversation
      </Link>
    )
  if (entry.kind === 'payment')
    return (
      <>
        {entry.is_first_payment ? <Badge tone="good">First payment</Badge> : null}
        <b>{money(entry.value, entry.currency)}</b>
        {entry.refunded_value > 0 ? (
          <span className="muted small">{money(entry.refunded_value, entry.currency)} refunded</span>
        ) : null}
      </>
    )
  return (
    <>
      {entry.value === null || entry.currency === null ? null : <b>{money(entry.value, entry.currency)}</b>}
      <Link
        to="/p/$profileId/why/$conversionId"
        params={{ profileId, conversionId: entry.conversion_id }}
        aria-label={`Why: ${sentence(entry.outcome_type)}`}
      >
        Why
      </Link>
    </>
  )
}
