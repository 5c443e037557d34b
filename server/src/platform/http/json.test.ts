import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readJson, readJsonBatch, Unreadable } from './json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const batch = (text: string) => readJsonBatch(bytes(text), 'events')
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

it.each([
  ['a NUL', '{"a":"\\u0000"}', 'NUL'],
  ['half a surrogate pair', '{"a":"\\ud800"}', 'surrogate'],
  ['too deep a nesting', deep(31), 'The element is nested deeper than 32 levels.'],
  ['a number of 20 digits', '[12345678901234567890]', 'significant digits'],
  ['a reserved name', '{"__proto__":1}', '__proto__'],
])('an element with %s refuses only itself', (_, bad, message) => {
  const text = `{ "x": [1, "},]"], "events" : [ {"n":1}, ${bad} , {"n":[2,{"a":"]"}]} ] }`
  expect(readJson(bytes(text)).ok).toBe(false)
  expect(batch(text)).toEqual({
    ok: true,
    value: {
      x: [1, '},]'],
      events: [
        { n: 1 },
        expect.toSatisfy((event) => event instanceof Unreadable && event.message.includes(message)),
        { n: [2, { a: ']' }] },
      ],
    },
  })
})

it('an error outside the list rejects the whole body', () => {
  expect(batch('{"events":[{"n":1}],"more":"\\u0000"}').ok).toBe(false)
  expect(batch('{"events":[{"n":1},').ok).toBe(false)
  expect(batch('{"other":["\\u0000"]}').ok).toBe(false)
  expect(batch(`{"events":[${deep(200_000)}]}`).ok).toBe(true)
})

it('parses any batch like JSON.parse, except invalid elements', () => {
  const element = fc.oneof(
    { weight: 4, arbitrary: fc.json().map((text) => [text, true] as const) },
    { weight: 1, arbitrary: fc.constantFrom(['"\\u0000"', false] as const, [deep(40), false] as const) },
  )
  fc.assert(
    fc.property(fc.array(element), fc.json(), (elements, other) => {
      const text = `{"other":${other},"events":[${elements.map(([json]) => json).join(' , ')}]}`
      fc.pre(readJson(bytes(`{"other":${other}}`)).ok)
      fc.pre(elements.every(([json, good]) => !good || readJson(bytes(`[[${json}]]`)).ok))
      const expected = JSON.parse(text) as { other: unknown; events: unknown[] }
      const reading = batch(text)
      expect(reading.ok).toBe(true)
      const { events, ...otherMembers } = (reading as { value: { events: unknown[]; other: unknown } }).value
      expect(otherMembers).toEqual({ other: expected.other })
      for (const [index, [, good]] of elements.entries())
        if (good) expect(events[index]).toEqual(expected.events[index])
        else expect(events[index]).toBeInstanceOf(Unreadable)
    }),
  )
})

it('a number with a million zeros is parsed without delay', () => {
  const zeros = '0'.repeat(1_000_000)
  expect(readJson(bytes(`[1.${zeros}]`))).toEqual({ ok: true, value: [1] })
  expect(readJson(bytes(`[1.${zeros}1]`))).toMatchObject({ ok: false })
  expect(readJson(bytes(`[0.${zeros}1]`))).toEqual({ ok: true, value: [0] })
})
