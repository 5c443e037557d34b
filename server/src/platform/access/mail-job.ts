/**
 * Sends account mails. The address is looked up here and not in the request, so that the response time does not
 * reveal whether an account exists.
 */
import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import { job } from '../contract/job.ts'
import type { Mail } from '../mail/mailer.ts'
import { mintLink } from './links.ts'
import {
  addressInUseMail,
  changedMail,
  changeMail,
  resetMail,
  securityChanges,
  securityMail,
  signInMail,
  verificationMail,
} from './mails.ts'
import { findUserByEmail, findUserById, isAddressTaken } from './user-queries.ts'

const Payload = z.discriminatedUnion('about', [
  z.object({ about: z.literal('verification'), user_id: z.uuid() }),
  z.object({ about: z.literal('change'), user_id: z.uuid(), email: z.string() }),
  z.object({ about: z.literal('changed'), email: z.string() }),
  z.object({ about: z.literal('reset'), email: z.string() }),
  z.object({ about: z.literal('sign_in'), email: z.string() }),
  z.object({
    about: z.literal('security'),
    user_id: z.uuid(),
    what: z.enum(securityChanges),
    name: z.string().optional(),
  }),
])

export const mailAccount = job({
  name: 'access.mail',
  payload: Payload,
  async run({ service, db }: JobContext, payload) {
    const now = service.clock.machineNow()
    await db.transaction().execute(async (tx) => {
      const mail = await compose(payload)
      // Last in the transaction, so that a link is stored only if it could be mailed.
      if (mail !== undefined) await service.mailer.send(mail)

      async function compose(request: z.output<typeof Payload>): Promise<Mail | undefined> {
        const base = service.config.BASE_URL
        switch (request.about) {
          case 'verification': {
            const user = await findUserById(tx, { userId: request.user_id })
            if (user === undefined || user.email_verified_at !== null) return undefined
            const link = { user_id: user.id, purpose: 'verify_email', email: user.email } as const
            return verificationMail(base, user.email, await mintLink(service, tx, link, now))
          }
          case 'change': {
            if (await isAddressTaken(tx, { email: request.email, butNotBy: request.user_id }))
              return addressInUseMail(base, request.email)
            const link = { user_id: request.user_id, purpose: 'change_email', email: request.email } as const
            return changeMail(base, request.email, await mintLink(service, tx, link, now))
          }
          case 'changed':
            return changedMail(request.email)
          case 'security': {
            const user = await findUserById(tx, { userId: request.user_id })
            return user && securityMail(base, user.email, request.what, request.name)
          }
          case 'reset': {
            const user = await findUserByEmail(tx, { email: request.email })
            if (user === undefined) return undefined
            const link = { user_id: user.id, purpose: 'reset_password', email: user.email } as const
            return resetMail(base, user.email, await mintLink(service, tx, link, now))
          }
          case 'sign_in': {
            const user = await findUserByEmail(tx, { email: request.email })
            // An account with an unverified address may belong to someone else: only a reset takes it over.
            if (user === undefined || user.email_verified_at === null)
              return compose({ about: 'reset', email: request.email })
            const link = { user_id: user.id, purpose: 'sign_in', email: user.email } as const
            return signInMail(base, user.email, await mintLink(service, tx, link, now))
          }
        }
      }
    })
  },
})
