import { useQueryClient } from '@tanstack/react-query'
import {
  type Connection,
  getHandoff,
  type Handoff,
  listCandidates,
  listConnections,
  listPendingChoices,
  mintHandoff,
  startMailboxLink,
} from '@whence/sdk'
import { useEffect } from 'react'
import { useProfileWrite } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { refetch } from '../../api/refetch.ts'
import { type Connectable, type Provider, providerName, vendorOf } from '../../names/providers.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { HandoffOutcome } from './handoff-outcome.tsx'

const POLL_MS = 1000

/** Providers whose consent starts at the store's own address. */
const shopHints: Partial<Record<Connectable, string>> = {
  storefront: 'The store’s domain, its handle or the address of its admin page.',
  woocommerce: 'The address of your shop, for example shop.example or example.com/store.',
}

/** Creates a hand-off link, shows it to open or pass on, and polls for the outcome. */
export function ConnectDialog({
  provider,
  broken,
  onClose,
}: {
  provider: Connectable
  /** The connection to reconnect. */
  broken?: Connection
  onClose: () => void
}) {
  const vendor = vendorOf('mailbox', provider)
  const mintMailbox = useProfileWrite(startMailboxLink)
  const mintAccount = useProfileWrite(mintHandoff)
  const mint = vendor === undefined ? mintAccount : mintMailbox
  const { values, bind } = useFields({ shop: '' })
  const client = useQueryClient()
  const minted = mint.data?.data
  const poll = useRead(
    getHandoff,
    { params: { id: minted?.id ?? '' } },
    { enabled: minted !== undefined, every: POLL_MS },
  )
  const handoff = poll.data?.data ?? minted
  const settled = handoff !== undefined && handoff.status !== 'pending'

  useEffect(() => {
    if (settled) void refetch(client, [listConnections, listCandidates, listPendingChoices])
  }, [settled, client])

  const shopHint = shopHints[provider]
  const start = () =>
    vendor === undefined
      ? mintAccount.mutate({
          params: { provider: provider as Provider },
          body: shopHint === undefined ? {} : values,
        })
      : mintMailbox.mutate({ body: { provider: vendor } })
  const name = providerName(provider)
  return (
    <Dialog
      open
      onClose={onClose}
      title={broken ? `Reconnect ${broken.display_name} at ${name}` : `Connect ${name}`}
      note={
        settled
          ? undefined
          : `You, or the person who manages the account, sign in at ${name} to allow access.`
      }
    >
      {handoff === undefined ? (
        <Form action="Get the link" write={mint} onSubmit={start} onCancel={onClose}>
          {shopHint === undefined ? null : <Field label="Store" hint={shopHint} {...bind('shop')} required />}
        </Form>
      ) : settled ? (
        <HandoffOutcome
          handoff={handoff}
          provider={provider}
          broken={broken}
          onAgain={() => mint.reset()}
          onClose={onClose}
        />
      ) : (
        <Waiting handoff={handoff} name={name} />
      )}
    </Dialog>
  )
}

function Waiting({ handoff, name }: { handoff: Handoff; name: string }) {
  return (
    <div className="stack">
      <a
        className={buttonClass({ kind: 'primary', wide: true })}
        href={handoff.start_url}
        target="_blank"
        rel="noopener"
      >
        Continue to {name}
        <Icon name="external" size={16} />
      </a>
      <p className="muted small">
        Or send this link to the person who manages the account. It works for 45 minutes; they need no account
        here.
      </p>
      <CodeBlock text={handoff.url} />
      <p className="muted small" role="status">
        Waiting for {name}…
      </p>
    </div>
  )
}
