import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const tokens = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

/** Relative luminance, as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

it.each(['accent-fill', 'accent-fill-hover', 'bad-fill'])('white text is legible on --%s', (name) => {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens)!
  for (const fill of [light!, dark!]) expect(1.05 / (luminance(fill) + 0.05)).toBeGreaterThanOrEqual(4.5)
})
