/** Reads the QR code of an SVG with a decoder that is not ours. */
import jsqr from 'jsqr'
import sharp from 'sharp'

// Its types describe the module object; the module itself is the function.
const decode = jsqr as unknown as typeof jsqr.default

export async function readQr(svg: string): Promise<string | undefined> {
  const { data, info } = await sharp(Buffer.from(svg))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decode(new Uint8ClampedArray(data), info.width, info.height)?.data
}
