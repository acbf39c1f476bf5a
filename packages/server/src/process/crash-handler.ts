import type { Logger } from 'pino'

/**
 * Logs uncaught errors that belong to one socket, stream or child process and continues; exits on anything else,
 * because the state of the process is unknown. Sites keep running either way, and interrupted jobs are resumed.
 */
export function installCrashHandler(logger: Pick<Logger, 'error' | 'fatal'>): void {
  process.on('uncaughtException', (error: unknown) => {
    if (isScoped(error)) {
      logger.error({ err: error }, 'uncaught error of one connection, file or child process; the panel continues')
      return
    }
    logger.fatal({ err: error }, 'uncaught error; the panel exits')
    process.exit(1)
  })
}

/**
 * Whether the error belongs to a single system call, stream or connection. `listen` does not: without it there is no
 * server.
 */
export function isScoped(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  if ('syscall' in error && error.syscall !== 'listen') return true
  return /^(?:ERR_(?:STREAM|SOCKET|HTTP|HTTP2|TLS|SSL)_|UND_ERR_|HPE_)/.test(error.code)
}
