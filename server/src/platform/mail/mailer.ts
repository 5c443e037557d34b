/** Mail goes to the SMTP server when one is configured, else into a folder that the operator can read. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { uuidv7 } from '../contract/ids.ts'
import { unsubscribeHeaders } from './compose.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  html?: string
  attachments?: { filename: string; contentType: string; content: Buffer }[]
  /** Unset: MAIL_FROM. A domain of its own has the key that signs its mail. */
  sender?: MailSender
  /** One mail that is sent twice keeps its id, by which many mail programs show it once. */
  messageId?: string
  /** Where one click takes the person off the list. */
  unsubscribeUrl?: string
}
export type MailSender = {
  name: string
  /** Null: the address of MAIL_FROM under this name. */
  domain: { address: string; returnPath: string | null; selector: string; privateKey: string } | null
}
export type Mailer = { send(mail: Mail): Promise<void> }

export function createMailer(config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>): Mailer {
  if (config.SMTP_URL !== undefined) {
    const options = {
      url: config.SMTP_URL,
      connectionTimeout: 3000,
      greetingTimeout: 3000,
      socketTimeout: 20_000,
    }
    return {
      async send(mail) {
        const { createTransport } = await import('nodemailer')
        await createTransport(options).sendMail(toMessage(config.MAIL_FROM, mail))
      },
    }
  }
  const folder = join(config.DATA_DIR, 'outbox')
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      const composer = createTransport({ streamTransport: true, buffer: true })
      const { message } = await composer.sendMail(toMessage(config.MAIL_FROM, mail))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${uuidv7()}.eml`)
      // A reader of the folder never meets half a mail.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
    },
  }
}

function toMessage(from: string, mail: Mail) {
  const { sender, unsubscribeUrl } = mail
  const domain = sender?.domain ?? null
  const address = domain?.address ?? addressOf(from)
  return {
    from: sender === undefined ? from : { name: sender.name, address },
    // As an object it is one address: a comma in it makes no second recipient.
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    ...(mail.html !== undefined && { html: mail.html }),
    ...(mail.attachments !== undefined && { attachments: mail.attachments }),
    ...(mail.messageId !== undefined && { messageId: `<${mail.messageId}@${address.split('@').at(-1)}>` }),
    ...(unsubscribeUrl !== undefined && {
      headers: unsubscribeHeaders(unsubscribeUrl),
    }),
    ...(domain !== null && {
      dkim: {
        domainName: address.split('@').at(-1)!,
        keySelector: domain.selector,
        privateKey: domain.privateKey,
      },
      ...(domain.returnPath !== null && { envelope: { from: domain.returnPath, to: mail.to } }),
    }),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** The address of `Name <address>`. */
function addressOf(from: string): string {
  return /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from
}
