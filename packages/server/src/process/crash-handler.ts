import type { Logger } from 'pino'

/**
 * Catches what nobody else did. An error of one socket, stream, file or start of a program is of that one thing: it is logged, and the
 * panel goes on serving everybody else. After any other error nobody knows in what
 * state this process is: it ends, and a new one is safer. Sites and programs live on either way, and what it had in hand is taken up again.
 */
export function installCrashHandler(logger: Pick<Logger, 'error' | 'fatal'>): void {
  process.on('uncaughtException', (error: unknown) => {
    if (isOfOneThing(error)) {
      logger.error({ err: error }, 'an error that nothing was there to hear; the panel goes on')
      return
    }
    logger.fatal({ err: error }, 'a defect; the panel ends')
    process.exit(1)
  })
}

/** Whether the operating system refused something, or a stream or a connection broke: nothing that all others depend on. */
export function isOfOneThing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  if ('syscall' in error && error.syscall !== 'listen') return true
  return /^(?:ERR_(?:STREAM|SOCKET|HTTP|HTTP2|TLS|SSL)_|UND_ERR_|HPE_)/.test(error.code)
}
