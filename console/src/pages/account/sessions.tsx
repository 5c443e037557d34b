import { endOtherSessions, endSession, listSessions } from '@whence/sdk'
import { messageOf } from '../../api/call.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

const methodNames: Record<string, string> = {
  password: 'password',
  mail_link: 'link by email',
  totp: 'authenticator app',
  passkey: 'passkey',
  recovery_code: 'recovery code',
  remembered_device: 'remembered device',
  company: 'company sign-in',
}

const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

export function Sessions() {
  const sessions = useRead(listSessions)
  const end = useWrite(endSession, [listSessions])
  const endOthers = useWrite(endOtherSessions, [listSessions])
  const toast = useToast()
  const onError = (error: unknown) => toast(messageOf(error), 'bad')
  return (
    <Card
      title="Where you are signed in"
      flush
      actions={
        <Button busy={endOthers.isPending} onClick={() => endOthers.mutate({}, { onError })}>
          Sign out everywhere else
        </Button>
      }
    >
      <Loaded query={sessions}>
        {({ data }) => (
          <ul className="list">
            {data.map((session) => (
              <li key={session.id}>
                <span className="grow">
                  <strong>{session.device ?? 'Unknown device'}</strong>{' '}
                  {session.is_current ? <Badge>This one</Badge> : null}
                  <span className="sub">
                    {[
                      session.address,
                      session.country,
                      session.methods.map((method) => methodNames[method] ?? method).join(' and '),
                      `last used ${time.format(new Date(session.last_used_at))}`,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                {session.is_current ? null : (
                  <Button
                    small
                    onClick={() => end.mutate({ params: { sessionId: session.id } }, { onError })}
                    aria-label={`Sign out ${session.device ?? 'unknown device'}`}
                  >
                    Sign out
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
