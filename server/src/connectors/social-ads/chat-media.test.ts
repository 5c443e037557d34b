import { expect, it } from 'vitest'
import { mediaType } from './chat-media.ts'

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
