/** Sends mail by SMTP if configured, otherwise writes it to a folder that the operator can read. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { uuidv7 } from '../contract/ids.ts'
import { OtherSystemError } from '../db/other-system.ts'
import { unsubscribeHeaders } from './compose.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  html?: string
  attachments?: { filename: string; contentType: string; content: Buffer }[]
  /** Default: MAIL_FROM. A sender domain has its own DKIM key. */
  sender?: MailSender
  /** The same for all attempts of one mail, so that many mail programs show it once. */
  messageId?: string
  /** One-click unsubscribe URL. */
  unsubscribeUrl?: string
}
export type MailSender = {
  name: string
  /** Null: the address of MAIL_FROM with this name. */
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
        await createTransport(options)
          .sendMail(toMessage(config.MAIL_FROM, mail))
          .catch((cause: Error) => {
            throw mailError(cause)
          })
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
      // Written under a temporary name, so that readers of the folder never see a partial mail.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
    },
  }
}

/** Keeps what the server answered (`responseCode`, `command`), but not the code, which a database that is away has too. */
function mailError(
  cause: Error & { command?: string; responseCode?: number; response?: string },
): OtherSystemError {
  const { command, responseCode, response } = cause
  const error = new OtherSystemError(`mail server of SMTP_URL: ${cause.message}`, { cause })
  return Object.assign(error, { command, responseCode, response })
}

function toMessage(from: string, mail: Mail) {
  const { sender, unsubscribeUrl } = mail
  const domain = sender?.domain ?? null
  const address = domain?.address ?? addressOf(from)
  return {
    from: sender === undefined ? from : { name: sender.name, address },
    // An object, so that a comma in the address cannot add a second recipient.
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
