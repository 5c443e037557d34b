// The image's health check: is this process alive, whatever its role?
process.exit((await isAlive(process.env)) ? 0 : 1)

/** A worker responds at METRICS_ADDRESS only; without it the running process counts as healthy. */
async function isAlive({ ROLE, PORT = '4400', METRICS_ADDRESS }) {
  if (ROLE === 'worker' && METRICS_ADDRESS === undefined) return true
  const port = ROLE === 'worker' ? METRICS_ADDRESS.split(':').at(-1) : PORT
  const reply = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
  return reply?.ok === true
}
