import { isIP } from 'node:net'
import { ImapFlow, type ImapFlowOptions } from 'imapflow'
import { type CopyOrder, sourceSocket, targetSocket } from './copy-protocol.ts'
import { CopyFailure } from './copy-failure.policy.ts'

const mebibyte = 2 ** 20

/**
 * Bounds what the untrusted source can send. Large messages are fetched in parts; the process has a memory limit as
 * well.
 */
const sourceLimits = {
  maxLineLength: 4 * mebibyte,
  maxLiteralSize: 4 * mebibyte,
  maxResponseSize: 8 * mebibyte
} as const

/** Socket timeout. */
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
  /** The error that broke the connection; pending commands only report that it closed. */
  problem(): unknown
}

/** Connects and logs in; the certificate must match the hostname. */
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
      // Through the socket: the parent process has checked the address and connected.
      tls: {
        path: sourceSocket,
        minVersion: 'TLSv1.2',
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ...(authorities === undefined ? {} : { ca: authorities })
      } as ImapFlowOptions['tls'],
      auth: { user: username, pass: password }
    }),
    // PREAUTH skips STARTTLS, so the certificate would not have been checked.
    (client) => {
      if (!client.secureConnection) throw new CopyFailure('no-tls')
    }
  )
}

/** Our server; the parent process has already authenticated the session. */
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
