import type { ProfileContext } from '../../../context.ts'
import { callerId } from '../../../platform/access/caller-id.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { findReadThrough, listHappened, saveReadThrough } from './queries.ts'
import { notifiedTypes, toNotification } from './rules.ts'

const KEPT_MS = 30 * DAY_MS
const MAX_SHOWN = 50

/** No read marker yet: everything is unread. */
export async function listNotifications({ db, profile, caller, now }: ProfileContext) {
  const since = new Date(now.getTime() - KEPT_MS)
  const profileId = profile.id
  const rows = await listHappened(db, {
    profileId,
    since,
    types: Object.keys(notifiedTypes),
    limit: MAX_SHOWN,
  })
  const readThrough = (await findReadThrough(db, { profileId, userId: callerId({ caller }) })) ?? since
  const notifications = rows.map((row) => toNotification(row, readThrough))
  return {
    data: notifications,
    unread: notifications.filter((notification) => notification.is_unread).length,
  }
}

export function readNotifications(context: ProfileContext, { through }: { through: string }) {
  const { profile, now } = context
  const moment = new Date(Math.min(new Date(through).getTime(), now.getTime()))
  return inTransaction(context.db, async (tx) => {
    const saved = await saveReadThrough(tx, {
      profileId: profile.id,
      userId: callerId(context),
      through: moment,
    })
    return { read_through: saved }
  })
}
