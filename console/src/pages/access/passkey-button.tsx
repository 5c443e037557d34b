import { offerPasskey, signInByPasskey } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { askPasskey, hasPasskeys } from '../../api/passkey.ts'
import { useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Signs in with a passkey alone. */
export function PasskeyButton({ onSuccess }: { onSuccess: () => void }) {
  const offer = useWrite(offerPasskey)
  const enter = useWrite(signInByPasskey)
  const [failure, setFailure] = useState<string | null>(null)
  if (!hasPasskeys()) return null
  const run = async () => {
    setFailure(null)
    try {
      const { data } = await offer.mutateAsync({})
      const assertion = await askPasskey(data.options)
      await enter.mutateAsync({ body: { challenge: data.challenge, assertion } })
      onSuccess()
    } catch (error) {
      setFailure(
        error instanceof DOMException ? 'The browser did not use a passkey. Try again.' : messageOf(error),
      )
    }
  }
  return (
    <>
      {failure ? <Notice tone="bad">{failure}</Notice> : null}
      <Button wide busy={offer.isPending || enter.isPending} onClick={() => void run()}>
        Use a passkey
      </Button>
    </>
  )
}
