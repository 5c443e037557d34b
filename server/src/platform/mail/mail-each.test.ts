import { expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { mailEach } from './mail-each.ts'
import type { Mail } from './mailer.ts'

const log = createLog('silent')
const mail = { subject: 'Decided', text: 'Decided by Ana.\n', messageId: 'job-1' }

it('a retried job reuses the Message-ID of each recipient, even if the list changed', async () => {
  const sent: Mail[] = []
  const mailer = { send: async (message: Mail) => void sent.push(message) }
  await mailEach({ mailer, log }, ['ana@example.com', 'ben@example.com'], mail)
  await mailEach({ mailer, log }, ['aaron@example.com', 'ben@example.com'], mail)
  const idOf = (at: number) => sent[at]!.messageId
  expect(sent.map(({ to }) => to[0])).toEqual(['a', 'b', 'a', 'b'])
  expect(idOf(3)).toBe(idOf(1))
  expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(3)
  expect(sent.every(({ messageId }) => messageId?.startsWith('job-1.'))).toBe(true)
})

it('a failing recipient does not block the others, and the job fails', async () => {
  const sent: string[] = []
  const mailer = {
    async send({ to }: Mail) {
      if (to.startsWith('ana')) throw new Error('mailbox unavailable')
      sent.push(to)
    },
  }
  await expect(mailEach({ mailer, log }, ['ana@example.com', 'ben@example.com'], mail)).rejects.toThrow(
    'mailbox unavailable',
  )
  expect(sent).toEqual(['ben@example.com'])
})

const refusing = (responseCode: number, command = 'RCPT TO') => {
  const sent: string[] = []
  const mailer = {
    async send({ to }: Mail) {
      if (to.startsWith('ana')) throw Object.assign(new Error('refused'), { responseCode, command })
      sent.push(to)
    },
  }
  return { mailer, log, sent }
}

it('a permanently rejected address does not cause repeated mails to the others', async () => {
  const service = refusing(550)
  await mailEach(service, ['ana@example.com', 'ben@example.com'], mail)
  expect(service.sent).toEqual(['ben@example.com'])
  await expect(mailEach(service, ['ana@example.com'], mail), 'no one got it').rejects.toThrow('refused')
})

it.each([
  ['an address that is refused for now', refusing(451)],
  ['a sender that is refused', refusing(550, 'MAIL FROM')],
])('%s fails the job', async (_, service) => {
  await expect(mailEach(service, ['ana@example.com', 'ben@example.com'], mail)).rejects.toThrow('refused')
})
