/** Mail goes to the SMTP server when one is configured, else into a folder that the operator can read. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import { uuidv7 } from '../contract/ids.ts'

export type Mail = { to: string; subject: string; text: string }
export type Mailer = { send(mail: Mail): Promise<void> }

export function createMailer(config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>): Mailer {
  if (config.SMTP_URL !== undefined) {
    const transport = createTransport(config.SMTP_URL)
    return {
      async send(mail) {
        await transport.sendMail({ from: config.MAIL_FROM, ...mail })
      },
    }
  }
  const folder = join(config.DATA_DIR, 'outbox')
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    async send(mail) {
      const { message } = await transport.sendMail({ from: config.MAIL_FROM, ...mail })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, `${uuidv7()}.eml`), message as Buffer, { mode: 0o600 })
    },
  }
}
