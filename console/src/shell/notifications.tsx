import { Link } from '@tanstack/react-router'
import { listNotifications, readNotifications } from '@whence/sdk'
import { useState } from 'react'
import { useFirstReadsFinished } from '../api/first-reads.ts'
import { useProfileContext, useProfileRead, useProfileWrite } from '../api/profile.ts'
import { agoText } from '../format/times.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { type Notification, textOf } from './notification-text.ts'

const POLL_MS = 60_000

/** Notifications of the profile. Closing the list marks them as read. */
export function Notifications() {
  const [open, setOpen] = useState(false)
  const list = useProfileRead(listNotifications, {}, { every: POLL_MS, enabled: useFirstReadsFinished() })
  const read = useProfileWrite(readNotifications, [listNotifications])
  const unread = (list.data?.unread_count as number | undefined) ?? 0
  const close = () => {
    setOpen(false)
    const newest = list.data?.data[0]
    if (newest?.is_unread) read.mutate({ body: { through: newest.at } })
  }
  return (
    <>
      <button type="button" className="nav-link" onClick={() => setOpen(true)}>
        <Icon name="bell" />
        <span className="grow">Notifications</span>
        {unread > 0 ? (
          <span className="badge warn">
            {unread}
            <span className="sr-only"> unread</span>
          </span>
        ) : null}
      </button>
      {open ? (
        <Dialog open onClose={close} title="Notifications" note="What happened in the last 30 days.">
          <Loaded query={list}>
            {({ data }) =>
              data.length === 0 ? (
                <Empty icon="bell" title="No notifications yet">
                  You will see connections, recomputes, exports and recommendations here.
                </Empty>
              ) : (
                <ul className="list">
                  {data.map((notification) => (
                    <NotificationRow key={notification.id} notification={notification} onFollow={close} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </Dialog>
      ) : null}
    </>
  )
}

function NotificationRow({ notification, onFollow }: { notification: Notification; onFollow: () => void }) {
  const { profile } = useProfileContext()
  const { text, to } = textOf(notification)
  return (
    <li>
      <span className="grow">
        <Link to={to} params={{ profileId: profile.id }} onClick={onFollow}>
          {text}
        </Link>
        <span className="sub">{agoText(notification.at)}</span>
      </span>
      {notification.is_unread ? <Badge tone="warn">New</Badge> : null}
    </li>
  )
}
