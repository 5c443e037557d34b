import { Link, useParams } from '@tanstack/react-router'
import { getConversation, getCustomer } from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { count, money, plural } from '../../format/numbers.ts'
import { ageText, instantText } from '../../format/times.ts'
import { providerName, sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'
import { adName, writerName } from './conversations.tsx'
import { ReplyBox } from './reply-box.tsx'
import { replyMinutes, type Shown } from './reply-state.ts'

/** One conversation: its ad, message times, outcome and a reply box. */
export function ConversationPage() {
  const { profile } = useProfileContext()
  const { conversationId } = useParams({ from: '/p/$profileId/conversations/$conversationId' })
  const query = useProfileRead(getConversation, { params: { id: conversationId } }, { every: 15_000 })
  const conversation = query.data?.data.conversation
  return (
    <Page
      title={conversation ? writerName(conversation) : 'Conversation'}
      note={conversation ? providerName(conversation.channel) : undefined}
    >
      <Loaded query={query}>
        {({ data }) => (
          <>
            <Figures conversation={data.conversation} />
            <ReplyBox conversation={data.conversation} />
            <Card title="Messages" note="Only times are stored, no text." flush>
              <ul className="list">
                {data.messages.map((message) => (
                  <li key={message.id}>
                    <span className="grow">
                      <strong>{message.direction === 'in' ? writerName(data.conversation) : 'You'}</strong>
                      <span className="sub">
                        {instantText(message.occurred_at, profile.timezone)} ·{' '}
                        {message.template ? `Template ${message.template}` : sentence(message.kind)}
                        {message.ad_id ? ` · from ad ${message.ad_id}` : ''}
                      </span>
                    </span>
                    {message.status === null ? null : (
                      <Badge tone={message.status === 'failed' ? 'bad' : 'plain'}>
                        {sentence(message.status)}
                      </Badge>
                    )}
                  </li>
                ))}
              </ul>
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Figures({ conversation }: { conversation: Shown }) {
  const { profile } = useProfileContext()
  const minutes = replyMinutes(conversation)
  return (
    <dl className="grid-stats">
      <Stat
        label="Came from"
        value={adName(conversation) ?? 'No ad'}
        detail={instantText(conversation.started_at, profile.timezone)}
      />
      <Stat
        label="First reply"
        value={minutes === null ? '–' : ageText(minutes * 60)}
        detail="after the first message"
      />
      <Stat label="Messages" value={count(conversation.messages)} detail="from the person" />
      {conversation.customer_id === null ? (
        <Stat label="Outcome" value="Unknown so far" />
      ) : (
        <Outcome customerId={conversation.customer_id} />
      )}
    </dl>
  )
}

function Outcome({ customerId }: { customerId: string }) {
  const { profile } = useProfileContext()
  const customer = useProfileRead(getCustomer, { params: { id: customerId } })
  const data = customer.data?.data
  return (
    <Stat
      label="Outcome"
      value={data === undefined ? '–' : money(data.revenue, profile.currency)}
      detail={
        <Link to="/p/$profileId/customers/$customerId" params={{ profileId: profile.id, customerId }}>
          {data === undefined ? 'Journey' : plural(data.conversions, 'conversion')}
        </Link>
      }
    />
  )
}
