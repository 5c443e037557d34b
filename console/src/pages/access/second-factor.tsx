import { type DataOf, finishSignIn, type signIn } from '@whence/sdk'
import { useState } from 'react'
import { useWrite } from '../../api/queries.ts'
import { type Proof, ProofForm } from '../../shell/proof-form.tsx'
import { Gate } from './gate.tsx'

export type SecondFactor = Extract<DataOf<typeof signIn>, { second_factor: unknown }>['second_factor']

/** The second step of a sign-in. */
export function SecondFactorStep({ needed, onSuccess }: { needed: SecondFactor; onSuccess: () => void }) {
  const finish = useWrite(finishSignIn)
  const [remembers, setRemembers] = useState(false)
  const prove = (proof: Proof) =>
    finish.mutate(
      {
        body: {
          challenge: needed.challenge,
          ...(remembers && { remember_device: true }),
          ...(proof as { code: string }),
        },
      },
      { onSuccess },
    )
  return (
    <Gate
      title="Second factor"
      note="Your account needs a second proof. After five wrong tries, sign in again."
    >
      <ProofForm
        kinds={needed.kinds}
        passkey={needed.passkey}
        write={finish}
        onProof={prove}
        action="Sign in"
      />
      <label className="check">
        <input type="checkbox" checked={remembers} onChange={() => setRemembers(!remembers)} />
        Remember this device for 30 days
      </label>
    </Gate>
  )
}
