/**
 * Images of the sandboxes' ads, drawn so that nothing is fetched from elsewhere, and rasterised like the platforms'
 * images. The hook determines the scene, the ad's id the colours and the light.
 */
import type { SandboxReply } from './sandbox.ts'
import { type Colours, scenes } from './scenes.ts'
import { type Random, seededRandom } from './seeded-random.ts'

const SIZE = 480
const woods = ['#a9713f', '#8a5a34', '#c39a6b', '#6f4a2f', '#b58657']
const fronts = ['#3f5a52', '#e9e4da', '#2f4858', '#8a9a86', '#c7b7a3', '#5b4a42']
const walls = ['#efe9df', '#e3e8e6', '#f1e7dc', '#dfe3ea', '#e9e2ea']
const accents = ['#c8553d', '#d9a441', '#4f7a5a', '#39607f', '#b56576']

export async function drawThumbnail(ad: { id: string; name: string; format: string }): Promise<SandboxReply> {
  const random = seededRandom('thumbnail', ad.id)
  const colours: Colours = {
    wood: random.pick(woods),
    front: random.pick(fronts),
    wall: random.pick(walls),
    accent: random.pick(accents),
  }
  const scene = scenes.find(({ hook }) => ad.name.startsWith(hook)) ?? scenes[0]!
  const parts = [scene.draw(colours, random), light(random), badge(ad.format)]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 480 480">${definitions(colours)}${parts.join('')}</svg>`
  // Loaded with the first image, because an idle process needs none.
  const { default: sharp } = await import('sharp')
  const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' }
  return { status: 200, headers, body: await sharp(Buffer.from(svg)).png().toBuffer() }
}

/** Wood grain, soft shadows, and a gradient from the top. */
const definitions = ({ wood, wall }: Colours) => `<defs>
<linearGradient id="wall" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="${wall}"/></linearGradient>
<linearGradient id="shade" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".28"/><stop offset="1" stop-color="#000" stop-opacity=".28"/></linearGradient>
<linearGradient id="metal" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#8c8f94"/><stop offset=".5" stop-color="#e8eaec"/><stop offset="1" stop-color="#7d8085"/></linearGradient>
<linearGradient id="dark" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-opacity=".05"/><stop offset="1" stop-opacity=".45"/></linearGradient>
<radialGradient id="glow"><stop offset="0" stop-color="#fff4d6" stop-opacity=".95"/><stop offset="1" stop-color="#fff4d6" stop-opacity="0"/></radialGradient>
<pattern id="grain" width="120" height="26" patternUnits="userSpaceOnUse"><rect width="120" height="26" fill="${wood}"/><path d="M0 6q30-5 60 0t60 0M0 15q20 6 60 1t60 2M0 22q40-4 70 0t50-1" fill="none" stroke="#000" stroke-opacity=".16"/></pattern>
<filter id="soft" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="9"/></filter>
</defs>`

const light = (random: Random) =>
  `<ellipse cx="${random.int(60, 420)}" cy="${random.int(20, 120)}" rx="260" ry="190" fill="url(#glow)" opacity=".55"/><rect width="480" height="480" fill="url(#dark)" opacity=".35"/>`

function badge(format: string): string {
  if (format === 'video')
    return '<circle cx="240" cy="240" r="46" fill="#000" fill-opacity=".5"/><path d="M226 214v52l42-26z" fill="#fff"/>'
  if (format === 'carousel')
    return [0, 1, 2, 3]
      .map(
        (dot) =>
          `<circle cx="${204 + dot * 24}" cy="452" r="6" fill="#fff" fill-opacity="${dot === 0 ? 1 : 0.55}"/>`,
      )
      .join('')
  return ''
}
