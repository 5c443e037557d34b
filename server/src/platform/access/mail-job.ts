/**
 * Sends the mails about accounts. The address is looked up here and not in the request, which
 * so takes equally long for an address without an account.
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
])

export const mailAccount = job({
  name: 'access.mail',
  payload: Payload,
  async run({ service, db }: JobContext, payload) {
    const now = service.clock.machineNow()
    await db.transaction().execute(async (tx) => {
      const mail = await compose(payload)
      // Last in the transaction: a link that could not be mailed does not exist.
      if (mail !== undefined) await service.mailer.send(mail)

      async function compose(asked: z.output<typeof Payload>): Promise<Mail | undefined> {
        const base = service.config.BASE_URL
        switch (asked.about) {
          case 'verification': {
            const user = await findUserById(tx, { userId: asked.user_id })
            if (user === undefined || user.email_verified_at !== null) return undefined
            const link = { user_id: user.id, purpose: 'verify_email', email: user.email } as const
            return verificationMail(base, user.email, await mintLink(service, tx, link, now))
          }
          case 'change': {
            if (await isAddressTaken(tx, { email: asked.email, butNotBy: asked.user_id }))
              return addressInUseMail(base, asked.email)
            const link = { user_id: asked.user_id, purpose: 'change_email', email: asked.email } as const
            return changeMail(base, asked.email, await mintLink(service, tx, link, now))
          }
          case 'changed':
            return changedMail(asked.email)
          case 'reset': {
            const user = await findUserByEmail(tx, { email: asked.email })
            if (user === undefined) return undefined
            const link = { user_id: user.id, purpose: 'reset_password', email: user.email } as const
            return resetMail(base, user.email, await mintLink(service, tx, link, now))
          }
          case 'sign_in': {
            const user = await findUserByEmail(tx, { email: asked.email })
            // An account whose address is not verified may be somebody else's: only a reset takes it over.
            if (user === undefined || user.email_verified_at === null)
              return compose({ about: 'reset', email: asked.email })
            const link = { user_id: user.id, purpose: 'sign_in', email: user.email } as const
            return signInMail(base, user.email, await mintLink(service, tx, link, now))
          }
        }
      }
    })
  },
})
