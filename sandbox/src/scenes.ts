/** Scenes of Harbor & Pine's ads, one per hook, as SVG fragments. */
import type { Random } from './seeded-random.ts'

export type Colours = { wood: string; front: string; wall: string; accent: string }
type Scene = { hook: string; draw: (colours: Colours, random: Random) => string }

const box = (x: number, y: number, width: number, height: number, fill: string, radius = 3) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`
/** A surface with the room's light. */
const lit = (x: number, y: number, width: number, height: number, fill: string, radius = 3) =>
  box(x, y, width, height, fill, radius) + box(x, y, width, height, 'url(#shade)', radius)
const shadow = (x: number, y: number, rx: number, ry: number) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="#000" opacity=".35" filter="url(#soft)"/>`

const room = (floor = 400) =>
  box(0, 0, 480, 480, 'url(#wall)', 0) +
  box(0, floor, 480, 480 - floor, 'url(#grain)', 0) +
  box(0, floor, 480, 480 - floor, 'url(#dark)', 0)

const cabinet = (x: number, y: number, width: number, height: number, front: string) =>
  lit(x, y, width, height, front) +
  `<rect x="${x + 9}" y="${y + 9}" width="${width - 18}" height="${height - 18}" rx="2" fill="none" stroke="#000" stroke-opacity=".18" stroke-width="2"/>` +
  box(x + width - 22, y + height / 2 - 14, 5, 28, 'url(#metal)', 2)

const lamp = (x: number, drop: number, colour: string) =>
  `<path d="M${x} 0v${drop}" stroke="#333" stroke-width="2"/><path d="M${x - 26} ${drop + 26}q26-44 52 0z" fill="${colour}"/><circle cx="${x}" cy="${drop + 30}" r="60" fill="url(#glow)"/>`

const plant = (x: number, y: number) =>
  [-40, -20, 0, 20, 40]
    .map(
      (turn) =>
        `<path d="M${x} ${y}q-12-40 0-66q12 26 0 66" fill="#4d7c57" transform="rotate(${turn} ${x} ${y})"/>`,
    )
    .join('') + lit(x - 16, y - 4, 32, 30, '#c98d62', 5)

const windowPane = (x: number, y: number) =>
  box(x - 6, y - 6, 142, 122, '#fff') +
  box(x, y, 130, 110, '#bcd9e8') +
  `<circle cx="${x + 96}" cy="${y + 34}" r="16" fill="#fff6cf"/><path d="M${x} ${y + 110}v-34q30-26 62-4t68-8v46z" fill="#86a97e"/>` +
  box(x + 62, y, 6, 110, '#fff', 0)

function kitchen({ front, accent }: Colours, random: Random): string {
  const uppers = [20, 100, 180].map((x) => cabinet(x, 70, 76, 104, front))
  const lowers = [20, 116, 212, 308].map((x) => cabinet(x, 288, 92, 116, front))
  return [
    room(),
    windowPane(300, 70),
    box(0, 174, 480, 98, '#f6f3ee', 0),
    Array.from({ length: 12 }, (_, at) => box(at * 41, 178, 38, 42, '#fff', 2)).join(''),
    Array.from({ length: 12 }, (_, at) => box(at * 41 - 20, 224, 38, 44, '#fff', 2)).join(''),
    ...uppers,
    shadow(230, 410, 230, 16),
    ...lowers,
    lit(8, 268, 464, 22, 'url(#grain)'),
    `<path d="M${210 + random.int(-20, 20)} 268v-44q0-18 18-18t18 18" fill="none" stroke="url(#metal)" stroke-width="7"/>`,
    plant(440, 244),
    lit(60, 236, 26, 32, accent, 6),
    lamp(150, 20, accent),
    lamp(250, 20, accent),
  ].join('')
}

function beforeAfter(colours: Colours, random: Random): string {
  const old = `${box(0, 0, 240, 480, '#cfc8bb', 0)}${lit(20, 120, 90, 90, '#b5a88f')}${lit(124, 120, 90, 90, '#b0a38b')}${lit(10, 280, 220, 24, '#8f8674')}${lit(20, 304, 100, 110, '#a89c86')}${lit(128, 304, 92, 110, '#a3967f')}${box(0, 414, 240, 66, '#8d8271', 0)}`
  return `${kitchen(colours, random)}<g>${old}</g>${box(236, 0, 8, 480, '#fff', 0)}<circle cx="240" cy="250" r="24" fill="#fff"/><path d="M234 240l-10 10 10 10M246 240l10 10-10 10" fill="none" stroke="#333" stroke-width="4"/>`
}

function person(x: number, y: number, skin: string, hair: string, shirt: string): string {
  return [
    shadow(x, y + 190, 100, 18),
    `<path d="M${x - 96} ${y + 196}q6-106 96-106t96 106z" fill="${shirt}"/><path d="M${x - 96} ${y + 196}q6-106 96-106t96 106z" fill="url(#shade)"/>`,
    `<rect x="${x - 18}" y="${y + 54}" width="36" height="50" rx="16" fill="${skin}"/>`,
    `<ellipse cx="${x}" cy="${y + 20}" rx="46" ry="54" fill="${skin}"/>`,
    `<path d="M${x - 50} ${y + 20}q-6-70 50-70t50 70q-14-40-50-40t-50 40z" fill="${hair}"/>`,
    `<circle cx="${x - 16}" cy="${y + 20}" r="4.5" fill="#2b2320"/><circle cx="${x + 16}" cy="${y + 20}" r="4.5" fill="#2b2320"/>`,
    `<path d="M${x - 16} ${y + 42}q16 16 32 0" fill="none" stroke="#7a3b32" stroke-width="4" stroke-linecap="round"/>`,
  ].join('')
}

const skins = ['#e8b998', '#c98f6b', '#8d5a3b', '#f0cdb2']
const hairs = ['#3b2a22', '#6d4a2f', '#1f1a1a', '#b98a52']
const quoteMark = (accent: string) =>
  `<circle cx="84" cy="84" r="46" fill="${accent}"/><path d="M62 96q0-30 22-34v10q-8 4-8 12h8v20H62zm28 0q0-30 22-34v10q-8 4-8 12h8v20H90z" fill="#fff"/>`

const story = (colours: Colours, random: Random) =>
  kitchen(colours, random) +
  box(0, 0, 480, 480, '#fff', 0).replace('/>', ' opacity=".25"/>') +
  person(random.int(250, 300), 190, random.pick(skins), random.pick(hairs), colours.accent) +
  lit(0, 384, 480, 96, 'url(#grain)', 0) +
  quoteMark(colours.accent)

function workshop({ accent }: Colours, random: Random): string {
  const shavings = Array.from({ length: 9 }, () => {
    const [x, y] = [random.int(40, 430), random.int(330, 372)]
    return `<path d="M${x} ${y}q12-16 20 0t-12 8" fill="none" stroke="#e4c08f" stroke-width="5"/>`
  })
  return [
    box(0, 0, 480, 480, '#5c5148', 0),
    ...[40, 130, 220, 310, 400].map((x) => lit(x, 30 + random.int(0, 30), 58, 210, 'url(#grain)')),
    person(150, 130, random.pick(skins), random.pick(hairs), accent),
    shadow(250, 350, 220, 18),
    lit(20, 300, 440, 52, 'url(#grain)'),
    lit(280, 258, 130, 44, '#7b5333', 8),
    `<path d="M300 262q-6-40 24-40t20 40z" fill="#3d2b1e"/><rect x="330" y="238" width="26" height="24" fill="url(#metal)"/>`,
    ...shavings,
    box(0, 400, 480, 80, '#3f372f', 0),
  ].join('')
}

const priceList = ({ front, accent }: Colours) =>
  [
    box(0, 0, 480, 480, 'url(#grain)', 0),
    shadow(250, 260, 170, 190),
    `<g transform="rotate(-5 240 240)">${box(90, 50, 300, 380, '#fdfcf9', 4)}${lit(120, 84, 240, 110, front)}${[0, 1, 2, 3, 4].map((line) => box(120, 222 + line * 34, 150, 10, '#b9b2a6') + box(310, 222 + line * 34, 50, 10, '#6e675c')).join('')}${box(120, 396, 110, 16, accent)}</g>`,
    `<g transform="rotate(34 380 330)">${lit(366, 190, 16, 210, accent, 4)}<path d="M366 400h16l-8 24z" fill="#e8cfa6"/></g>`,
    `<circle cx="80" cy="396" r="54" fill="#fff"/><circle cx="80" cy="396" r="40" fill="#4a2f20"/><ellipse cx="70" cy="386" rx="14" ry="8" fill="#7b543c"/>`,
  ].join('')

const drawer = ({ front }: Colours) =>
  [
    room(430),
    cabinet(60, 60, 360, 90, front),
    cabinet(60, 330, 360, 100, front),
    box(70, 150, 340, 180, '#2d2620', 0),
    shadow(240, 340, 190, 20),
    `<path d="M90 190h300l40 70H50z" fill="url(#grain)"/><path d="M104 196h272l30 54H74z" fill="#3a2c20" opacity=".55"/>`,
    [120, 180, 240, 300].map((x) => lit(x, 204, 38, 40, 'url(#metal)', 6)).join(''),
    lit(50, 258, 380, 76, front),
    box(200, 288, 80, 10, 'url(#metal)', 5),
  ].join('')

const giftSet = ({ accent }: Colours, random: Random) =>
  [
    box(0, 0, 480, 480, 'url(#wall)', 0),
    box(0, 300, 480, 180, '#d8cbb8', 0),
    shadow(220, 380, 190, 24),
    `<g transform="rotate(${random.int(-8, -3)} 220 260)">${lit(60, 150, 300, 210, 'url(#grain)', 26)}<circle cx="100" cy="190" r="15" fill="#d8cbb8"/></g>`,
    lit(372, 190, 58, 170, '#e9d9a8', 12),
    lit(388, 150, 26, 46, '#3a332b', 4),
    box(378, 250, 46, 60, '#fff', 2),
    box(60, 268, 300, 16, accent, 2),
    `<path d="M210 268q-50-56-60-10t60 12q50-56 60-10t-60 12" fill="${accent}"/>`,
    plant(60, 330),
  ].join('')

export const scenes: readonly Scene[] = [
  { hook: 'Before and after', draw: beforeAfter },
  { hook: 'Customer story', draw: story },
  { hook: 'Founder', draw: workshop },
  { hook: 'Price list', draw: priceList },
  { hook: 'Drawer test', draw: drawer },
  { hook: 'Gift set', draw: giftSet },
]
