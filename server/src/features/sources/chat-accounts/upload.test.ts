import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openUpload } from './upload.ts'

const MB = 1024 * 1024
const file = (bytes: string, type = 'image/png', name = 'a.png') =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n${bytes}\r\n`
const field = '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n'
const END = '--b--\r\n'

/** The form in parts of these lengths; by default in one. */
function streamOf(form: string, lengths: number[] = [], size: number | null = Buffer.byteLength(form)) {
  async function* chunks() {
    let remaining = Buffer.from(form)
    for (const length of lengths) {
      yield remaining.subarray(0, length)
      remaining = remaining.subarray(length)
    }
    yield remaining
  }
  return { contentType: 'multipart/form-data; boundary=b', size, chunks: chunks() }
}
async function read(form: string, lengths?: number[]) {
  const upload = await openUpload(streamOf(form, lengths))
  const parts: Uint8Array[] = []
  for await (const part of upload.chunks) parts.push(part)
  return { ...upload, bytes: Buffer.concat(parts).toString() }
}

it('reads name, type, length and bytes regardless of how the form is chunked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1, maxLength: 60, unit: fc.constantFrom('\r', '\n', '-', 'b', 'x') }),
      fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 30 }),
      fc.boolean(),
      async (bytes, lengths, isBare) => {
        fc.pre(!bytes.includes('\r\n--b') && bytes.length > 2)
        const upload = await read(`${field}${file(bytes)}${isBare ? '--b--' : END}`, lengths)
        const extra = isBare ? 2 : 0
        expect(upload).toMatchObject({ name: 'a.png', contentType: 'image/png', bytes })
        expect([upload.extra!(), upload.size]).toEqual([extra, bytes.length - extra])
      },
    ),
    { seed: 33 },
  )
})

it.each([
  ['filename=a.png', 'a.png'],
  ['filename="a;b.png"', 'a;b.png'],
  [`filename="a.png"; filename*=UTF-8''%C3%A1.png`, 'á.png'],
  [`filename*=utf-8'es'%C3%A1.png`, 'á.png'],
  [`filename="a.png"; filename*=utf-8''%ff`, 'a.png'],
  ['FileName=""', 'file'],
])('a file may be named by %s', async (parameter, name) => {
  const form = `${file('bytes')}${END}`.replace('filename="a.png"', parameter)
  await expect(read(form)).resolves.toMatchObject({ name, bytes: 'bytes' })
})

it('a field is not a file because of its name', async () => {
  const misleadingField = field.replace('name="note"', 'name="a; filename=b"')
  await expect(openUpload(streamOf(`${misleadingField}${END}`))).rejects.toMatchObject({
    code: 'invalid_content',
  })
})

it.each([
  ['two files', `${file('one')}${file('two')}${END}`],
  ['a field after the file', `${file('one')}${field}${END}`],
  ['a form without its end', file('one')],
  ['text after the end', `${file('one')}${END}more`],
  ['a second file and an end without a line break', `${file('one')}${file('two')}--b--`],
])('%s is refused before the last byte has passed', async (_, form) => {
  for (const lengths of [[], [90, 10, 3, 2, 1, 1, 1]])
    await expect(read(form, lengths)).rejects.toMatchObject({ code: 'invalid_content' })
})

it.each([
  ['no file', `${field}${END}`],
  ['an empty file', `${file('')}${END}`],
  ['no form', 'hello'],
  ['a long field before the file', `${field.replace('hello', 'x'.repeat(20_000))}${file('one')}${END}`],
])('%s is refused at its beginning', async (_, form) => {
  const parts = Array.from({ length: 30 }, () => 600)
  await expect(openUpload(streamOf(form, parts))).rejects.toMatchObject({ code: 'invalid_content' })
})

it('the length decides before the bytes arrive', async () => {
  const form = `${file('', 'image/png')}${END}`
  const sized = (bytes: number, type: string) =>
    openUpload(
      streamOf(
        form.replace('image/png', type),
        [],
        Buffer.byteLength(form.replace('image/png', type)) + bytes,
      ),
    )
  await expect(sized(5 * MB + 1, 'image/png')).rejects.toMatchObject({ code: 'payload_too_large' })
  await expect(sized(5 * MB, 'image/png')).resolves.toMatchObject({ size: 5 * MB })
  await expect(sized(100 * MB, 'application/pdf')).resolves.toMatchObject({ size: 100 * MB })
  await expect(openUpload(streamOf(form, [], null))).rejects.toMatchObject({ code: 'invalid_content' })
  const other = { ...streamOf(form), contentType: 'multipart/form-data' }
  await expect(openUpload(other)).rejects.toMatchObject({ code: 'invalid_content' })
})
