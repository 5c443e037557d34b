import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { listMailedOwners } from '../../../platform/access/user-queries.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { mailEach } from '../../../platform/mail/mail-each.ts'
import { loadContacts } from '../../facts/identity/contact.ts'
import { deleteParts } from '../person-data/steps.ts'
import { endExpired, runExport } from './build.ts'
import { codeMail, ownersMail } from './mails.ts'
import * as queries from './queries.ts'
import { CODE_MS, codeHash } from './rules.ts'

const payload = z.object({ id: z.uuid() })
const BUILD_ATTEMPTS = 5

export const buildExport = job({
  name: 'customer_data.export',
  payload,
  slow: true,
  maxAttempts: BUILD_ATTEMPTS,
  async run(context: JobContext, { id }) {
    const { db, attempt, signal } = context
    const profileId = context.profileId!
    try {
      await runExport(context, { profileId, id })
    } catch (error) {
      if (attempt >= BUILD_ATTEMPTS && !signal.aborted)
        await inTransaction(db, async (tx) => {
          const ended = await queries.endExport(tx, { profileId, id, from: ['pending'], to: 'failed' })
          if (ended) await deleteParts(tx, { profileId, ids: [id] })
        })
      throw error
    }
  },
})

/** The code is created here, so that it is stored nowhere but as a hash. A retry mails a new one. */
export const mailCode = job({
  name: 'customer_data.mail_code',
  payload,
  async run({ service, db, profileId }: JobContext, { id }) {
    const row = await queries.findExport(db, { profileIds: [profileId!], id })
    if (row?.status !== 'awaiting_identity' || row.customer_id === null) return
    const contact = (await loadContacts(db, profileId!, [row.customer_id])).get(row.customer_id)
    const profile = await findProfileRef(db, { profileId: profileId! })
    if (contact?.email == null || profile === undefined) return
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    await queries.saveCode(db, {
      profileId: profileId!,
      id,
      hash: codeHash(id, code, service.identityPepper),
      expiresAt: new Date(service.clock.now().getTime() + CODE_MS),
    })
    await service.mailer.send({ to: contact.email, ...codeMail(profile.name, code) })
  },
})

export const notifyOwners = job({
  name: 'customer_data.notify_owners',
  payload,
  async run({ service, db, profileId, jobId }: JobContext, { id }) {
    const row = await queries.findExport(db, { profileIds: [profileId!], id })
    const profile = await findProfileRef(db, { profileId: profileId! })
    if (row === undefined || profile === undefined) return
    const owners = await listMailedOwners(db, { workspaceId: profile.workspaceId })
    if (owners.length === 0) return
    const link = `${service.config.BASE_URL}/p/${profileId}/settings?tab=privacy`
    await mailEach(service, owners, { ...ownersMail(profile.name, row, link), messageId: `${jobId}.${id}` })
  },
})

const expire = job({
  name: 'customer_data.expire',
  payload: z.object({}),
  async run(context: JobContext) {
    await endExpired(context, context.service.clock.now())
  },
})

export const customerDataExportJobs: readonly Job[] = [buildExport, mailCode, notifyOwners, expire]
export const customerDataExportSchedules: readonly Schedule[] = [
  { name: 'customer_data.expire', job: expire, rule: { everySeconds: 3600 } },
]
