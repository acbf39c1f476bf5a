import { pino, type Logger } from 'pino'

/** Structured logs. Requests and errors are logged through allow-list serializers: pino's redaction does not reach deep. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: {
      req: (request: { method: string; url: string; ip?: string; id?: string }) => ({
        id: request.id,
        method: request.method,
        path: request.url.split('?')[0],
        ip: request.ip
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
      err: serializeError
    },
    redact: {
      paths: [
        'password',
        '*.password',
        'secret',
        '*.secret',
        'token',
        '*.token',
        'value',
        '*.value',
        'cookie',
        '*.cookie',
        'authorization',
        '*.authorization'
      ],
      censor: '[redacted]'
    }
  })
}

interface LoggedError {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: LoggedError
}

/** Name, message, code and stack; not the members that drivers hang on their errors (bound values, connection strings). */
function serializeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const query = error.name === 'DrizzleQueryError'
  return {
    type: error.name,
    // Drizzle's message carries the bound parameters.
    message: query ? 'query failed' : error.message,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.stack && !query ? { stack: error.stack } : {}),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) })
  }
}
