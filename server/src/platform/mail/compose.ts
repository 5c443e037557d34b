/** A mail as bytes (RFC 5322), for a vendor that takes them instead of SMTP. */

export type OutgoingMail = {
  to: readonly string[]
  subject: string
  text: string
  html?: string | undefined
  replyTo?: string | undefined
  /** The part before the @ of the Message-ID: one mail keeps it, however often it is tried. */
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
  const one = (address: string) => ({ name: '', address })
  const { message } = await composer.sendMail({
    from,
    // As objects each is one address: a comma in it makes no second recipient.
    to: mail.to.map(one),
    ...(replyTo === undefined ? {} : { replyTo: one(replyTo) }),
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
