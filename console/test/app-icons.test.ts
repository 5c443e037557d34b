import { crc32, inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { drawIcon, icons } from '../app-icons.ts'

/** Reads an icon's size, and the colour at a position of the 32 × 32 square. */
function readPng(file: Uint8Array) {
  const bytes = Buffer.from(file)
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const body = bytes.subarray(at + 4, at + 8 + length)
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(body))
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4))
    at += length + 12
  }
  const size = chunks.get('IHDR')!.readUInt32BE(0)
  const rows = inflateSync(chunks.get('IDAT')!)
  const pixel = (x: number, y: number) => {
    const at = Math.floor((y / 32) * size) * (size * 4 + 1) + 1 + Math.floor((x / 32) * size) * 4
    return [...rows.subarray(at, at + 4)]
  }
  return { size, length: rows.length, pixel }
}

const blue = [69, 71, 209, 255]
const white = [255, 255, 255, 255]

it.each(Object.entries(icons))('%s has the right size and the mark on blue', (_, icon) => {
  const { size, length, pixel } = readPng(drawIcon(icon))
  expect([size, length]).toEqual([icon.size, (icon.size * 4 + 1) * icon.size])
  expect(pixel(16, 4)).toEqual(blue)
  const along = 16 - 4.2 * icon.scale
  expect(pixel(along, 16 + 5.5 * icon.scale)).toEqual(white)
  expect(pixel(0.1, 0.1)[3]).toBe(icon.radius === 0 ? 255 : 0)
})
