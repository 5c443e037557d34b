/** Composes a mail as bytes (RFC 5322), for providers with an HTTP API instead of SMTP. */

export type OutgoingMail = {
  to: readonly string[]
  subject: string
  text: string
  html?: string | undefined
  replyTo?: string | undefined
  /** Local part of the Message-ID, the same for all attempts of one mail. */
  messageId: string
  attachments?: { filename: string; contentType: string; content: Buffer }[] | undefined
  unsubscribeUrl?: string | undefined
}

export async function composeMime(
  mail: OutgoingMail & { from: { name: string; address: string } },
): Promise<Buffer> {
  const { from, replyTo, unsubscribeUrl } = mail
  const { createTransport } = await import('nodemailer')
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const mailbox = (address: string) => ({ name: '', address })
  const { message } = await composer.sendMail({
    from,
    // Objects, so that a comma in an address cannot add a second recipient.
    to: mail.to.map(mailbox),
    ...(replyTo === undefined ? {} : { replyTo: mailbox(replyTo) }),
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    ...(mail.attachments === undefined ? {} : { attachments: mail.attachments }),
    messageId: `<${mail.messageId}@${from.address.split('@').at(-1)}>`,
    ...(unsubscribeUrl === undefined ? {} : { headers: unsubscribeHeaders(unsubscribeUrl) }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return message as Buffer
}

export const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})
