import { register } from '@shopify/web-pixels-extension'
import { startPixel } from './pixel.js'

register((api) => startPixel(api, (url, body) => fetch(url, { method: 'POST', body, keepalive: true })))
