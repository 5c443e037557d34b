// Loaded before a program that must not outlive its parent: npm forwards only some signals,
// and a killed npm none, so an orphaned service would block the next start.
const parent = process.ppid

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
}, 500).unref()
