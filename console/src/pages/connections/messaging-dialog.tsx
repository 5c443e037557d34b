import {
  connectMessagingAccount,
  disconnectConnection,
  listConnections,
  listMessagingAccounts,
} from '@whence/sdk'
import { messageOf } from '../../api/call.ts'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { providerName } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Chooses the pages, photo accounts and chat accounts whose conversations are received. */
export function MessagingDialog({ onClose }: { onClose: () => void }) {
  const accounts = useProfileRead(listMessagingAccounts)
  const changed = [listMessagingAccounts, listConnections] as const
  const connect = useProfileWrite(connectMessagingAccount, changed)
  const disconnect = useProfileWrite(disconnectConnection, changed)
  const toast = useToast()
  const result = (text: string) => ({
    onSuccess: () => toast(text),
    onError: (error: unknown) => toast(messageOf(error), 'bad'),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Accounts that receive messages"
      note="The accounts that the connected Meta account can currently access. If you stop receiving messages, past conversations are kept."
      wide
    >
      <Loaded query={accounts}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="message" title="The account has no pages or chat accounts" />
          ) : (
            <ul className="list">
              {data.map(({ channel, account_id, name, connection_id, status }) => {
                const isOn = connection_id !== null && status !== 'revoked'
                const label = `${name} (${providerName(channel)})`
                return (
                  <li key={`${channel} ${account_id}`}>
                    <span className="grow">
                      <strong>{name}</strong>
                      <span className="sub">
                        {providerName(channel)} · {account_id}
                      </span>
                    </span>
                    {isOn ? <Badge tone={status === 'connected' ? 'good' : 'bad'}>{status}</Badge> : null}
                    {isOn && status === 'connected' ? (
                      <Button
                        aria-label={`Stop receiving ${label}`}
                        busy={disconnect.isPending && disconnect.variables?.params?.id === connection_id}
                        onClick={() =>
                          disconnect.mutate(
                            { params: { id: connection_id } },
                            result(`Stopped receiving ${label}`),
                          )
                        }
                      >
                        Stop receiving
                      </Button>
                    ) : (
                      <Button
                        aria-label={`Receive ${label}`}
                        busy={connect.isPending && isSame(connect.variables?.body, channel, account_id)}
                        onClick={() =>
                          connect.mutate({ body: { channel, account_id } }, result(`Receiving ${label}`))
                        }
                      >
                        Receive
                      </Button>
                    )}
                  </li>
                )
              })}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}

const isSame = (body: object | undefined, channel: string, accountId: string) =>
  body !== undefined &&
  'account_id' in body &&
  'channel' in body &&
  body.channel === channel &&
  body.account_id === accountId
