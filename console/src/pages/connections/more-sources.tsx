import {
  activateWebPixel,
  connectBankLink,
  getChatbot,
  listAvailablePages,
  listConnections,
  listPages,
  saveChatbot,
  startBankLink,
  trackPages,
} from '@whence/sdk'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Form, toggled, useFields } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'
import { MessagingDialog } from './messaging-dialog.tsx'

type Open = 'pages' | 'messages' | 'chatbot' | 'bank' | null

/** Sources that need more setup than a consent: pages with lead forms, a chatbot, a bank, the store's pixel. */
export function MoreSources({ channels }: { channels: ReadonlySet<string> }) {
  const [open, setOpen] = useState<Open>(null)
  const pixel = useProfileWrite(activateWebPixel)
  const toast = useToast()
  const close = () => setOpen(null)
  return (
    <Card title="More sources" flush>
      <ul className="list">
        <Source
          name="Pages with lead forms"
          note="Choose the pages whose leads you want to receive."
          needs={channels.has('social_ads') ? null : 'Needs Meta'}
        >
          <Button onClick={() => setOpen('pages')}>Choose pages</Button>
        </Source>
        <Source
          name="Messages"
          note="Choose the pages, photo accounts and chat accounts that people write to."
          needs={channels.has('social_ads') ? null : 'Needs Meta'}
        >
          <Button onClick={() => setOpen('messages')}>Choose accounts</Button>
        </Source>
        <Source name="Chatbot" note="Conversations that an ad started, sent by your chatbot." needs={null}>
          <Button onClick={() => setOpen('chatbot')}>Set up the chatbot</Button>
        </Source>
        <Source name="Bank account" note="Incoming transfers as payments." needs={null}>
          <Button onClick={() => setOpen('bank')}>Link a bank</Button>
        </Source>
        <Source
          name="Web pixel of the store"
          note="Install it again if it was removed in the store."
          needs={channels.has('storefront') ? null : 'Needs Shopify'}
        >
          <Button
            busy={pixel.isPending}
            onClick={() =>
              pixel.mutate(
                {},
                {
                  onSuccess: () => toast('The pixel is installed'),
                  onError: (error: unknown) => toast(messageOf(error), 'bad'),
                },
              )
            }
          >
            Install the pixel
          </Button>
        </Source>
      </ul>
      {open === 'pages' ? <PagesDialog onClose={close} /> : null}
      {open === 'messages' ? <MessagingDialog onClose={close} /> : null}
      {open === 'chatbot' ? <ChatbotDialog onClose={close} /> : null}
      {open === 'bank' ? <BankDialog onClose={close} /> : null}
    </Card>
  )
}

function Source({
  name,
  note,
  needs,
  children,
}: {
  name: string
  note: string
  needs: string | null
  children: ReactNode
}) {
  return (
    <li>
      <span className="grow">
        <strong>{name}</strong>
        <span className="sub">{note}</span>
      </span>
      {needs ? <span className="muted small">{needs}</span> : children}
    </li>
  )
}

function PagesDialog({ onClose }: { onClose: () => void }) {
  const tracked = useProfileRead(listPages)
  const available = useProfileRead(listAvailablePages)
  const save = useProfileWrite(trackPages, [listPages])
  const [chosen, setChosen] = useState<string[]>()
  const ids = chosen ?? tracked.data?.data.map(({ id }) => id) ?? []
  return (
    <Dialog
      open
      onClose={onClose}
      title="Pages with lead forms"
      note="The pages that the connected account can currently access."
    >
      <Form
        action="Save pages"
        write={save}
        onSubmit={() => save.mutate({ body: { page_ids: ids } }, { onSuccess: onClose })}
        onCancel={onClose}
        disabled={!available.data || !tracked.data}
      >
        <Loaded query={available}>
          {({ data }) =>
            data.map((page) => (
              <Check
                key={page.id}
                label={page.name}
                hint={page.category ?? page.id}
                checked={ids.includes(page.id)}
                onChange={() => setChosen(toggled(ids, page.id))}
              />
            ))
          }
        </Loaded>
      </Form>
    </Dialog>
  )
}

function ChatbotDialog({ onClose }: { onClose: () => void }) {
  const existing = useProfileRead(getChatbot)
  const { values, bind } = useFields({ api_key: '' })
  const save = useProfileWrite(saveChatbot, [getChatbot, listConnections])
  return (
    <Dialog
      open
      onClose={onClose}
      title="Chatbot"
      note={
        existing.data
          ? `${existing.data.data.display_name} is connected. A new key replaces the old one.`
          : 'The key with which your chatbot signs its requests.'
      }
    >
      <Form
        action="Save chatbot"
        write={save}
        onSubmit={() => save.mutate({ body: values }, { onSuccess: onClose })}
        onCancel={onClose}
      >
        <Field label="API key of the chatbot" autoComplete="off" {...bind('api_key')} required />
      </Form>
    </Dialog>
  )
}

function BankDialog({ onClose }: { onClose: () => void }) {
  const start = useProfileWrite(startBankLink)
  const connect = useProfileWrite(connectBankLink, [listConnections])
  const { values, bind } = useFields({ public_token: '' })
  const link = start.data?.data
  return (
    <Dialog
      open
      onClose={onClose}
      title="Link a bank"
      note="You choose the bank and allow access on its own page."
    >
      {link ? (
        <Form
          action="Finish"
          write={connect}
          onSubmit={() => connect.mutate({ body: values }, { onSuccess: onClose })}
          onCancel={onClose}
        >
          <a
            className={buttonClass({ kind: 'primary', wide: true })}
            href={link.url}
            target="_blank"
            rel="noopener"
          >
            Continue to the bank
          </a>
          <Field
            label="Token from the bank’s page"
            hint="Shown there at the end."
            {...bind('public_token')}
            required
          />
        </Form>
      ) : (
        <Form action="Start" write={start} onSubmit={() => start.mutate({})} onCancel={onClose}>
          <p className="muted small">Only incoming transfers are read.</p>
        </Form>
      )}
    </Dialog>
  )
}
