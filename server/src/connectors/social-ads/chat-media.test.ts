import { expect, it } from 'vitest'
import { isPlatformUrl, mediaType } from './chat-media.ts'

it.each([
  [['image/jpeg'], 'image/jpeg'],
  [['audio/ogg; codecs=opus', 'audio/ogg'], 'audio/ogg; codecs=opus'],
  [
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  [[null, 'video/mp4'], 'video/mp4'],
  [['text/html\r\nset-cookie: a=b', 'video/mp4'], 'video/mp4'],
  [['image/\u00e9', undefined], 'application/octet-stream'],
  [['', 'x'.repeat(9000)], 'application/octet-stream'],
])('a file declared as %j is served as %s', (declared, type) => {
  expect(mediaType(...declared)).toBe(type)
})

it.each([
  ['https://graph.example/v1/file', true],
  ['https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1', true],
  ['https://scontent.xx.fbcdn.net/file', true],
  ['http://lookaside.fbsbx.com/', false],
  ['https://fbsbx.com.evil.example/', false],
  ['https://evilfbsbx.com/', false],
  ['https://lookaside.fbsbx.com@evil.example/', false],
  ['https://169.254.169.254/', false],
  ['https://localhost/', false],
])('the token of the account is sent to %s: %s', (url, expected) => {
  expect(isPlatformUrl('https://graph.example', url)).toBe(expected)
})
