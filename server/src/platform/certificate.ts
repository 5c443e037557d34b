/** Reads the certificate that visitors of the service get, from its own public address. */
import { isIP } from 'node:net'
import { connect } from 'node:tls'

const TIMEOUT_MS = 5000

/** When it ends; null if the address is not https. Rejects if no certificate is presented. */
export async function readCertificateEnd(baseUrl: string): Promise<Date | null> {
  const { protocol, hostname, port } = new URL(baseUrl)
  if (protocol !== 'https:') return null
  return new Promise((resolve, reject) => {
    // An invalid certificate ends too; whether it is trusted is not the question here.
    const socket = connect(
      {
        host: hostname,
        port: Number(port || 443),
        ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
        rejectUnauthorized: false,
      },
      () => {
        const end = new Date(socket.getPeerCertificate().valid_to)
        socket.destroy()
        if (Number.isNaN(end.getTime())) reject(new Error(`${hostname} presents no certificate`))
        else resolve(end)
      },
    )
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`${hostname} does not respond`)))
    socket.once('error', reject)
  })
}
