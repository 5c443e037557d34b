import { finalizeConnection, listCandidates, listConnections, listPendingChoices } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { type Provider, providerName } from '../../names/providers.ts'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

/** For a consent that covers several accounts: the chosen one becomes the connection. */
export function ChooseAccount({
  provider,
  onConnected,
  onClose,
}: {
  provider: Provider
  onConnected: (connectionId: string) => void
  onClose: () => void
}) {
  const candidates = useProfileRead(listCandidates, { params: { provider } })
  const finalize = useProfileWrite(finalizeConnection, [listConnections, listCandidates, listPendingChoices])
  const [chosen, setChosen] = useState('')
  const toast = useToast()
  const submit = () =>
    finalize.mutate(
      { params: { provider }, body: { candidate_id: chosen } },
      {
        onSuccess: ({ data }) => {
          toast(`${providerName(provider)} is connected`)
          onConnected(data.connection_id)
        },
      },
    )
  return (
    <Form
      action="Connect this account"
      write={finalize}
      onSubmit={submit}
      onCancel={onClose}
      cancel="Later"
      disabled={chosen === ''}
    >
      <Loaded query={candidates}>
        {({ data }) => (
          <fieldset className="options">
            <legend>Which account belongs to this profile?</legend>
            {data.map((candidate) => (
              <label key={candidate.id} className="option">
                <input
                  type="radio"
                  name="candidate"
                  value={candidate.id}
                  checked={chosen === candidate.id}
                  onChange={() => setChosen(candidate.id)}
                />
                <span>
                  {candidate.name}
                  <span className="sub">
                    {[candidate.id, candidate.currency, candidate.timezone].filter(Boolean).join(' · ')}
                  </span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
      </Loaded>
    </Form>
  )
}
