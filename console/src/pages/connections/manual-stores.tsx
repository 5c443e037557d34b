import { createManualStore, deleteManualStore, listManualStores, setSigningId } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'

/** Stores that send webhooks to us without having the app installed. */
export function ManualStores() {
  const stores = useProfileRead(listManualStores).data?.data ?? []
  const remove = useProfileWrite(deleteManualStore, [listManualStores])
  const [adding, setAdding] = useState(false)
  const [signing, setSigning] = useState<string | null>(null)
  const [removing, setRemoving] = useState<(typeof stores)[number] | null>(null)
  return (
    <Card
      title="Stores by webhook"
      note="For stores without our app: the store sends its orders to an address that we provide."
      actions={<Button onClick={() => setAdding(true)}>Add a store</Button>}
      flush={stores.length > 0}
    >
      {stores.length === 0 ? (
        <p className="muted small">No stores yet.</p>
      ) : (
        <ul className="list">
          {stores.map((store) => (
            <li key={store.id}>
              <span className="grow">
                <strong>{store.shop}</strong>
                <CodeBlock text={store.webhook_url} />
              </span>
              <Badge tone={store.status === 'connected' ? 'good' : 'warn'}>
                {store.status === 'connected' ? 'Connected' : 'Needs its signing secret'}
              </Badge>
              <Button small onClick={() => setSigning(store.id)}>
                Signing secret
              </Button>
              <Button small onClick={() => setRemoving(store)} aria-label={`Remove ${store.shop}`}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {adding ? <AddStore onClose={() => setAdding(false)} /> : null}
      {signing ? <SigningId connectionId={signing} onClose={() => setSigning(null)} /> : null}
      {removing ? (
        <Confirm
          title={`Remove ${removing.shop}?`}
          action="Remove store"
          onConfirm={() => remove.mutateAsync({ params: { connectionId: removing.id } })}
          onClose={() => setRemoving(null)}
        >
          New orders from the store are rejected. Orders received so far are kept.
        </Confirm>
      ) : null}
    </Card>
  )
}

function AddStore({ onClose }: { onClose: () => void }) {
  const { values, bind } = useFields({ shop: '' })
  const create = useProfileWrite(createManualStore, [listManualStores])
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add a store"
      note="You get an address to enter in the store’s webhook settings."
    >
      <Form
        action="Add store"
        write={create}
        onSubmit={() => create.mutate({ body: values }, { onSuccess: onClose })}
        onCancel={onClose}
      >
        <Field label="Store" hint="Its domain or handle." {...bind('shop')} required />
      </Form>
    </Dialog>
  )
}

function SigningId({ connectionId, onClose }: { connectionId: string; onClose: () => void }) {
  const { values, bind } = useFields({ signing_id: '' })
  const save = useProfileWrite(setSigningId, [listManualStores])
  return (
    <Dialog
      open
      onClose={onClose}
      title="Signing secret of the store"
      note="The store shows it below its webhooks. Until you enter it, the store’s orders are rejected."
    >
      <Form
        action="Save secret"
        write={save}
        onSubmit={() => save.mutate({ params: { connectionId }, body: values }, { onSuccess: onClose })}
        onCancel={onClose}
      >
        <Field label="Signing secret" autoComplete="off" {...bind('signing_id')} required />
      </Form>
    </Dialog>
  )
}
