// Loaded before a program that must not outlive what started it: npm passes on only some signals,
// and a killed npm none, which would leave a service behind that blocks the next start.
const parent = process.ppid

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
}, 500).unref()
