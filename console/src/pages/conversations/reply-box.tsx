import { Link } from '@tanstack/react-router'
import {
  getConversation,
  listChatTemplates,
  listConversations,
  newIdempotencyKey,
  sendMessage,
} from '@whence/sdk'
import { type SyntheticEvent, useId, useState } from 'react'
import { changedNothing, messageOf } from '../../api/call.ts'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { instantText } from '../../format/times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Choice } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { replyState, type Shown } from './reply-state.ts'

/** Follows the platform's reply window: free text while it is open, then a human agent's reply, a template or nothing. */
export function ReplyBox({ conversation }: { conversation: Shown }) {
  const { profile } = useProfileContext()
  const state = replyState(conversation, new Date())
  const until = (instant: string | null | undefined) => instantText(instant, profile.timezone)
  const window = conversation.reply_window
  switch (state) {
    case 'connect':
    case 'reconnect':
      return (
        <Notice tone="warn">
          {state === 'connect'
            ? 'This account is not connected for messages. '
            : 'The account’s authorization has ended. The conversation is kept. '}
          <Link to="/p/$profileId/connections" params={{ profileId: profile.id }}>
            Go to connections
          </Link>
        </Notice>
      )
    case 'closed':
      return (
        <Notice>
          The time to reply ended {until(window?.human_agent_closes_at ?? window?.closes_at)}. You can reply
          when the person writes again.
        </Notice>
      )
    case 'template':
      return (
        <Card
          title="Send a template"
          note="The person’s last message is more than 24 hours old, so the platform accepts only approved templates."
        >
          <TemplateForm conversationId={conversation.id} />
        </Card>
      )
    default:
      return (
        <Card
          title="Reply"
          note={
            state === 'text'
              ? `You can reply until ${until(window?.closes_at)}.`
              : `Only replies written by a person are allowed, until ${until(window?.human_agent_closes_at)}.`
          }
        >
          <TextForm conversationId={conversation.id} humanAgent={state === 'human_agent'} />
        </Card>
      )
  }
}

/** One idempotency key per message, so that a double click or a retry after a lost response sends it once. */
function useSend(conversationId: string) {
  const [key, setKey] = useState(() => newIdempotencyKey())
  const send = useProfileWrite(sendMessage, [getConversation, listConversations])
  const toast = useToast()
  return {
    isPending: send.isPending,
    submit(body: Record<string, unknown>, onSent: () => void) {
      send.mutate(
        { params: { id: conversationId }, body: body, idempotencyKey: key },
        {
          onSuccess: ({ data }) => {
            setKey(newIdempotencyKey())
            toast(
              data.status === 'sent'
                ? 'Sent'
                : 'No response from the platform. The message may have been sent',
            )
            onSent()
          },
          onError: (error: unknown) => {
            if (changedNothing(error)) setKey(newIdempotencyKey())
            toast(messageOf(error), 'bad')
          },
        },
      )
    },
  }
}

function TextForm({ conversationId, humanAgent }: { conversationId: string; humanAgent: boolean }) {
  const id = useId()
  const [text, setText] = useState('')
  const { submit, isPending } = useSend(conversationId)
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    submit({ text: text.trim(), human_agent: humanAgent }, () => setText(''))
  }
  return (
    <form className="form" onSubmit={onSubmit}>
      <div className="field">
        <label htmlFor={id}>Message</label>
        <textarea
          id={id}
          className="input"
          rows={3}
          maxLength={1000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Button kind="primary" type="submit" disabled={isPending || text.trim() === ''}>
        Send
      </Button>
    </form>
  )
}

function TemplateForm({ conversationId }: { conversationId: string }) {
  const templates = useProfileRead(listChatTemplates)
  const approved = (templates.data?.data ?? []).filter(({ status }) => status === 'APPROVED')
  const [chosen, setChosen] = useState('')
  const { submit, isPending } = useSend(conversationId)
  const template = approved.find(({ id }) => id === chosen) ?? approved[0]
  if (template === undefined) return <p>No approved templates found. Sync the templates first.</p>
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    submit({ template: { name: template.name, language: template.language } }, () => {})
  }
  return (
    <form className="form" onSubmit={onSubmit}>
      <Choice
        label="Template"
        value={template.id}
        onChange={(event) => setChosen(event.target.value)}
        options={approved.map(({ id, name, language }) => ({ value: id, label: `${name} (${language})` }))}
      />
      <Button kind="primary" type="submit" disabled={isPending}>
        Send template
      </Button>
    </form>
  )
}
