import type { Logger } from 'pino'

/** Exits only on errors that do not belong to one socket, stream or child process: the process state is unknown. */
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

/** Errors of one system call, stream or connection. Not `listen`: without it there is no server. */
export function isScoped(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  if ('syscall' in error && error.syscall !== 'listen') return true
  return /^(?:ERR_(?:STREAM|SOCKET|HTTP|HTTP2|TLS|SSL)_|UND_ERR_|HPE_)/.test(error.code)
}
