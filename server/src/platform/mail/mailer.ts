/** Mail goes to the SMTP server when one is configured, else into a folder that the operator can read. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import { uuidv7 } from '../contract/ids.ts'

export type Mail = { to: string; subject: string; text: string }
export type Mailer = { send(mail: Mail): Promise<void> }

export function createMailer(config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>): Mailer {
  if (config.SMTP_URL !== undefined) {
    const transport = createTransport({
      url: config.SMTP_URL,
      connectionTimeout: 3000,
      greetingTimeout: 3000,
      socketTimeout: 20_000,
    })
    return {
      async send(mail) {
        await transport.sendMail(toMessage(config.MAIL_FROM, mail))
      },
    }
  }
  const folder = join(config.DATA_DIR, 'outbox')
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(toMessage(config.MAIL_FROM, mail))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${uuidv7()}.eml`)
      // A reader of the folder never meets half a mail.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
    },
  }
}

function toMessage(from: string, mail: Mail) {
  return {
    from,
    // As an object it is one address: a comma in it makes no second recipient.
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
