import { useMutation } from '@tanstack/react-query'
import { offerReauthentication, reauthenticate } from '@whence/sdk'
import { useEffect, useRef, useState } from 'react'
import { send } from '../api/call.ts'
import { whenProofNeeded } from '../api/reauthenticate.ts'
import { Dialog } from '../ui/dialog.tsx'
import { type Proof, ProofForm } from './proof-form.tsx'

/** Asks again who is at the browser, when a request needs it. */
export function Reauthenticate() {
  const [isOpen, setOpen] = useState(false)
  const answer = useRef<(isProved: boolean) => void>(() => {})
  useEffect(
    () =>
      whenProofNeeded(
        () =>
          new Promise((resolve) => {
            answer.current = resolve
            setOpen(true)
          }),
      ),
    [],
  )
  const close = (isProved: boolean) => {
    setOpen(false)
    answer.current(isProved)
  }
  return isOpen ? <ProofDialog onClose={close} /> : null
}

function ProofDialog({ onClose }: { onClose: (isProved: boolean) => void }) {
  const offer = useMutation({ mutationFn: () => send(offerReauthentication, {}) as Promise<Offer> })
  const [data, setData] = useState<Offer['data'] | null>(null)
  const { mutate } = offer
  useEffect(() => mutate(undefined, { onSuccess: (reply) => setData(reply.data) }), [mutate])
  const prove = useMutation({
    mutationFn: (proof: Proof) =>
      send(reauthenticate, { body: { challenge: data!.challenge, ...proof } }) as Promise<unknown>,
  })
  return (
    <Dialog open onClose={() => onClose(false)} title="Is it you?" note="This action needs a recent proof.">
      {data === null ? null : (
        <ProofForm
          kinds={data.kinds}
          passkey={data.passkey}
          write={prove}
          onProof={(proof) =>
            prove.mutate(proof, {
              onSuccess: () => onClose(true),
              // Each try may have used up the challenge.
              onError: () => mutate(undefined, { onSuccess: (reply) => setData(reply.data) }),
            })
          }
          action="Continue"
        />
      )}
    </Dialog>
  )
}

type Offer = { data: { challenge: string; kinds: string[]; passkey: Record<string, unknown> | null } }
