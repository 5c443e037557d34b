/** Thumbnails of the sandboxes' ads: drawn, so that nothing is fetched from elsewhere, and as pixels, as platforms give them. */
import sharp from 'sharp'
import { seededRandom } from '../../platform/seeded-random.ts'
import type { SandboxReply } from './sandbox.ts'

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

export async function drawThumbnail(adId: string, title: string): Promise<SandboxReply> {
  const random = seededRandom('thumbnail', adId)
  const hue = random.int(0, 359)
  const boards = Array.from({ length: 4 }, (_, index) => {
    const height = random.int(40, 130)
    return `<rect x="${index * 76 + 12}" y="${200 - height}" width="64" height="${height}" rx="4" fill="hsl(${(hue + index * 14) % 360} 42% ${48 + index * 7}%)"/>`
  })
  const words = title.split(' ')
  const lines = [words.slice(0, 4).join(' '), words.slice(4).join(' ')].filter(Boolean)
  const text = lines.map(
    (line, index) =>
      `<text x="12" y="${232 + index * 24}" font-family="sans-serif" font-size="20" fill="hsl(${hue} 30% 20%)">${escapeXml(line)}</text>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="280" viewBox="0 0 320 280"><rect width="320" height="280" fill="hsl(${hue} 40% 93%)"/>${boards.join('')}${text.join('')}</svg>`
  const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' }
  return { status: 200, headers, body: await sharp(Buffer.from(svg)).png().toBuffer() }
}
