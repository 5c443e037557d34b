import { expect, it } from 'vitest'
import { csvField } from './csv-field.ts'

it.each([
  ['Summer', 'Summer'],
  ['a, b', '"a, b"'],
  ['say "yes"', '"say ""yes"""'],
  ['two\nlines', '"two\nlines"'],
  ['a-b=c', 'a-b=c'],
  ['-12.50', '-12.50'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-x', "'-x"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\uff1d1+1', "'\uff1d1+1"],
  ['\uff0b1', "'\uff0b1"],
  ['\uff0d1', "'\uff0d1"],
  ['\uff20SUM(A1)', "'\uff20SUM(A1)"],
  [';=1+1', `";'=1+1"`],
  ['Sale; \uff1d1', `"Sale; '\uff1d1"`],
  ['x;"=1+1', `"x;""'=1+1"`],
  ['\t=1+1', "\t'=1+1"],
  ['x\r\n=1+1', `"x\r\n'=1+1"`],
  ['  =1+1', "  '=1+1"],
])('%j is written as %j', (text, field) => {
  expect(csvField(text)).toBe(field)
})
