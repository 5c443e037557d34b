/** The icons of the installed app, drawn from the same shapes as favicon.svg and written as PNG. */
import { crc32, deflateSync } from 'node:zlib'
import type { Plugin } from 'vite'

const BLUE = [69, 71, 209] as const
const STROKE = 2.6
/** The mark in a 32 × 32 square, as in favicon.svg. */
const mark: readonly (readonly [number, number])[] = [
  [7, 9.5],
  [11.6, 22.5],
  [16, 12],
  [20.4, 22.5],
  [25, 9.5],
]

type IconShape = { size: number; radius: number; scale: number }

/** A maskable icon fills the square and keeps its mark inside the circle that every platform shows. */
export const icons: Record<string, IconShape> = {
  'icon-180.png': { size: 180, radius: 0, scale: 0.9 },
  'icon-192.png': { size: 192, radius: 8, scale: 1 },
  'icon-512.png': { size: 512, radius: 8, scale: 1 },
  'icon-maskable-512.png': { size: 512, radius: 0, scale: 0.8 },
}

export function appIcons(): Plugin {
  return {
    name: 'app-icons',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'apple-touch-icon', href: './icon-180.png' }, injectTo: 'head' },
    ],
    generateBundle() {
      for (const [fileName, icon] of Object.entries(icons))
        this.emitFile({ type: 'asset', fileName, source: drawIcon(icon) })
    },
  }
}

export function drawIcon({ size, radius, scale }: IconShape): Uint8Array {
  const unit = size / 32
  const rows = Buffer.alloc((size * 4 + 1) * size)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const [atX, atY] = [(x + 0.5) / unit, (y + 0.5) / unit]
      const inside = coverage(cornerDistance(atX, atY, radius), unit)
      const white = coverage(markDistance(16 + (atX - 16) / scale, 16 + (atY - 16) / scale) * scale, unit)
      const at = y * (size * 4 + 1) + 1 + x * 4
      for (const [channel, blue] of BLUE.entries())
        rows[at + channel] = Math.round(blue + (255 - blue) * white)
      rows[at + 3] = Math.round(255 * inside)
    }
  return toPng(size, rows)
}

/** Coverage of a pixel by a shape, from the signed distance to its edge; negative is inside. */
const coverage = (distance: number, unit: number) => Math.min(1, Math.max(0, 0.5 - distance * unit))

function cornerDistance(x: number, y: number, radius: number): number {
  const [dx, dy] = [Math.abs(x - 16) - (16 - radius), Math.abs(y - 16) - (16 - radius)]
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius
}

function markDistance(x: number, y: number): number {
  let nearest = Number.POSITIVE_INFINITY
  for (let index = 1; index < mark.length; index++) {
    const [ax, ay] = mark[index - 1]!
    const [bx, by] = mark[index]!
    const [dx, dy] = [bx - ax, by - ay]
    const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
    nearest = Math.min(nearest, Math.hypot(x - ax - along * dx, y - ay - along * dy))
  }
  return nearest - STROKE / 2
}

/** 8 bits a channel with transparency, no filter. */
function toPng(size: number, rows: Buffer): Uint8Array {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
