/** A connected mailbox in tests: actions and sent mail of its vendor, and outbox events about it. */
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { MailboxVendor } from '../src/connectors/mailbox.ts'
import type { TestApp } from './app.ts'
import { triggerSandbox } from './make-shop.ts'

type World = { app: TestApp; profileId: string; mailbox: { id: string } }

export function mailboxOf(world: () => World, vendor: MailboxVendor) {
  const act = (action: string, args: Record<string, unknown> = {}) =>
    triggerSandbox(world().app, vendor, 'act', { action, args })
  const sent = async () => ((await act('sent_mail')) as { sent: { raw: string; to: string[] }[] }).sent
  let seen = 0
  /** Events about the mailbox since the last call, as type, status and reason. */
  const newEvents = async () => {
    const { app, profileId, mailbox } = world()
    const { rows } = await sql<{ number: number; type: string; data: Record<string, string> }>`
      select number::int as number, type, data from outbox_events
      where profile_id = ${profileId} and connection_id = ${mailbox.id} and number > ${seen}
        and type <> 'handoff.completed' order by number`.execute(app.service.db)
    seen = rows.at(-1)?.number ?? seen
    expect(rows.every(({ data }) => data.provider === 'mailbox')).toBe(true)
    return rows.map(({ type, data }) => [type, data.status, data.reason ?? null])
  }
  return { act, sent, newEvents }
}
