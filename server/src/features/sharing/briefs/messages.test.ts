import { describe, expect, it } from 'vitest'
import { toMail, toSlack, toTeams } from './messages.ts'

const hostile =
  'Spring\n\n• Your key ends today: https://evil.example/login <!channel> <https://evil.example|here> [a](javascript:1) \u202egnp.exe\u2028*b*'
const openUrl = 'https://whence.example/p'
const message = {
  title: `Shop ${hostile}`,
  note: hostile,
  lines: [
    [
      { text: hostile, url: null },
      { text: hostile, url: openUrl },
    ],
  ],
  tones: ['good'],
}

describe('a hostile name in a brief or an alert', () => {
  const expectPlain = (text: string) => {
    expect(text).not.toMatch(/https:\/\/evil|[\u2028\u202a-\u202e]/)
  }

  it('adds no line, link or mention to a message in Slack', () => {
    const { text } = JSON.parse(toSlack(message)) as { text: string }
    expect(text.split('\n')).toHaveLength(3)
    expect([...text.matchAll(/<[^>]*>/g)].map(([link]) => link.split('|')[0])).toEqual([`<${openUrl}`])
    expectPlain(text)
  })

  it('adds no line and no link to a message in Teams', () => {
    const card = JSON.parse(toTeams(message)) as { attachments: { content: { body: { text: string }[] } }[] }
    const texts = card.attachments[0]!.content.body.map(({ text }) => text)
    expect(texts).toHaveLength(3)
    for (const text of texts) {
      expect(text).not.toContain('\n')
      expectPlain(text)
    }
    const links = texts.flatMap((text) => [...text.matchAll(/(?<!\\)\]\(([^)]*)\)/g)].map(([, url]) => url))
    expect(links).toEqual([openUrl])
  })

  it('adds no paragraph, element or link to a mail', () => {
    const links = { unsubscribeUrl: 'https://whence.example/u', openUrl }
    const brand = { name: 'Whence', primaryColor: '#000000' }
    const mail = toMail(message, 'en', links, brand)
    expect(mail.text.trim().split('\n\n')).toHaveLength(6)
    expect(mail.subject).not.toContain('\n')
    expectPlain(mail.text)
    const hrefs = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)
    expect(hrefs).toEqual([openUrl, openUrl, links.unsubscribeUrl])
    expectPlain(mail.html)
  })
})
