import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMailer } from './mailer.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whence-mail-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const mail = { to: 'ana@example.com', subject: 'Приглашение', text: 'Open https://example.com/?token=abc\n' }
const settings = () => ({ MAIL_FROM: 'Whence <no-reply@example.com>', DATA_DIR: folder, SMTP_URL: undefined })

/** A mail server that stores what it receives. */
async function listenForMail() {
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let data = false
    let unfinished = ''
    socket.write('220 ready\r\n')
    socket.on('data', (chunk) => {
      const parts = (unfinished + chunk).split('\r\n')
      unfinished = parts.pop()!
      for (const line of parts) {
        lines.push(line)
        if (data && line !== '.') continue
        if (line === 'DATA') socket.write('354 go on\r\n')
        else socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
        data = line === 'DATA'
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

it('without a mail server each mail is a file in the outbox folder, readable by the owner only', async () => {
  const mailer = createMailer(settings())
  await Promise.all([mailer.send(mail), mailer.send(mail)])
  const files = await readdir(join(folder, 'outbox'))
  expect(files).toHaveLength(2)
  for (const file of files) expect(file).toMatch(/\.eml$/)
  const text = await readFile(join(folder, 'outbox', files[0]!), 'utf8')
  expect(text).toMatch(/^To: ana@example\.com\r?$/m)
  expect(text).toMatch(/^From: Whence <no-reply@example\.com>\r?$/m)
  expect(text).toContain('https://example.com/?token=abc')
})

it('a mail has one recipient and no injected headers, whatever its content', async () => {
  const server = await listenForMail()
  const mailer = createMailer({ ...settings(), SMTP_URL: server.url })
  await mailer.send({ to: 'a@example.com, b@example.com', subject: 'x\r\nBcc: c@example.com', text: 'x' })
  expect(server.lines.filter((line) => line.startsWith('RCPT'))).toHaveLength(1)
  expect(server.lines.filter((line) => line.startsWith('Bcc:'))).toEqual([])
  await server.close()
})

it('with a mail server mail is sent there, and no file is written', async () => {
  const server = await listenForMail()
  await createMailer({ ...settings(), SMTP_URL: server.url }).send(mail)
  expect(server.lines).toContain('RCPT TO:<ana@example.com>')
  expect(server.lines).toContain('Open https://example.com/?token=abc')
  expect(await readdir(folder)).toEqual([])
  await server.close()
})

it('sending fails if the mail server is unreachable', async () => {
  const server = await listenForMail()
  await server.close()
  await expect(createMailer({ ...settings(), SMTP_URL: server.url }).send(mail)).rejects.toThrow()
})
