/** Reads mails that the mailer wrote to the outbox folder. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from './app.ts'

export type ReceivedMail = { subject: string; text: string; messageId: string }

/** Oldest first. */
export async function mailsTo(app: TestApp, email: string): Promise<ReceivedMail[]> {
  const folder = join(app.service.config.DATA_DIR, 'outbox')
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.eml')).sort()
  const mails: ReceivedMail[] = []
  for (const file of files) {
    const mail = (await readFile(join(folder, file), 'utf8')).replace(/=\r?\n/g, '').replaceAll('=3D', '=')
    const [folded = '', ...body] = mail.split(/\r?\n\r?\n/)
    const head = folded.replace(/\r?\n[ \t]+/g, ' ')
    const fieldOf = (name: string) => new RegExp(`^${name}: (.+)$`, 'im').exec(head)?.[1]?.trim() ?? ''
    if (fieldOf('To').toLowerCase() !== email.toLowerCase()) continue
    mails.push({ subject: fieldOf('Subject'), text: body.join('\n\n'), messageId: fieldOf('Message-ID') })
  }
  return mails
}

/** The newest token mailed to the address, for the given page. */
export async function mailedToken(app: TestApp, email: string, page = '[\\w/-]+'): Promise<string> {
  const link = new RegExp(`/${page}\\?token=(whence_\\w+)`)
  const tokens = (await mailsTo(app, email)).map((mail) => link.exec(mail.text)?.[1])
  const token = tokens.filter((candidate) => candidate !== undefined).at(-1)
  if (token === undefined) throw new Error(`No token was mailed to ${email}`)
  return token
}
