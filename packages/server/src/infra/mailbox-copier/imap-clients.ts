import { isIP } from 'node:net'
import { ImapFlow, type ImapFlowOptions } from 'imapflow'
import { type CopyOrder, sourceSocket, targetSocket } from './copy-protocol.ts'
import { CopyFailure } from './copy-failure.policy.ts'

const mebibyte = 2 ** 20

/**
 * What is taken of a source at once: its server may announce and send what it likes. One answer to a FETCH of large messages is a part of one,
 * and the memory of this process is bounded besides.
 */
const sourceLimits = {
  maxLineLength: 4 * mebibyte,
  maxLiteralSize: 4 * mebibyte,
  maxResponseSize: 8 * mebibyte
} as const

/** A server that says nothing for so long is gone. */
const silenceMs = 60_000
const quiet: Partial<ImapFlowOptions> = {
  logger: false,
  disableAutoIdle: true,
  disableAutoEnable: true,
  disableCompression: true,
  connectionTimeout: 30_000,
  greetingTimeout: 30_000
}

export interface ImapSession {
  client: ImapFlow
  /** What broke the connection: commands that wait for an answer then hear only that there is none. */
  problem(): unknown
}

/** Signed in at the source, whose certificate is that of its name. */
export async function openSource({ source, authorities }: CopyOrder): Promise<ImapSession> {
  const { host, security, username, password } = source
  return connected(
    new ImapFlow({
      ...quiet,
      ...sourceLimits,
      socketTimeout: silenceMs,
      host,
      port: source.port,
      secure: security === 'TLS',
      ...(security === 'STARTTLS' ? { doSTARTTLS: true } : {}),
      // The way there leads through the socket, whose other end has looked at the address.
      tls: {
        path: sourceSocket,
        minVersion: 'TLSv1.2',
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ...(authorities === undefined ? {} : { ca: authorities })
      } as ImapFlowOptions['tls'],
      auth: { user: username, pass: password }
    }),
    // One that greets as if somebody were signed in already has let nobody check its certificate.
    (client) => {
      if (!client.secureConnection) throw new CopyFailure('no-tls')
    }
  )
}

/** Ours, signed in by who holds the other end of the socket. */
export const openTarget = (): Promise<ImapSession> =>
  connected(
    new ImapFlow({
      ...quiet,
      socketTimeout: 5 * 60_000,
      host: 'localhost',
      port: 143,
      secure: false,
      doSTARTTLS: false,
      tls: { path: targetSocket } as ImapFlowOptions['tls'],
      auth: { user: '', pass: '' }
    })
  )

async function connected(client: ImapFlow, check: (client: ImapFlow) => void = () => {}): Promise<ImapSession> {
  let problem: unknown
  client.on('error', (error: unknown) => (problem ??= error))
  try {
    await client.connect()
    check(client)
    return { client, problem: () => problem }
  } catch (error) {
    client.close()
    throw problem ?? error
  }
}
