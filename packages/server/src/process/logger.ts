import { DrizzleQueryError } from 'drizzle-orm/errors'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { messageOf } from '../text/message-of.ts'

// pino's own redaction only supports paths of a fixed depth.
const secretName = /(password|secret|token|cookie|authorization|private.?key|encryption.?key)$|^value$/i

const serializers = {
  req: (request: { method: string; url: string; ip?: string; id?: string }) => ({
    id: request.id,
    method: request.method,
    path: request.url.split('?')[0],
    ip: request.ip
  }),
  res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
  err: serializeError
}

/** Requests and errors are logged by allow-list; elsewhere, values with names like secrets are redacted. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (object) =>
        Object.fromEntries(
          Object.entries(object).map(([key, value]) => [key, key in serializers ? value : redacted(key, value)])
        )
    },
    serializers,
    hooks: {
      // Without a message pino would use the error's own, which may contain query values.
      logMethod([first, message, ...rest], method) {
        const error: unknown = first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err
        if (error instanceof Error && message === undefined) return method.apply(this, [first, messageOf(error)])
        return method.apply(this, [first, message, ...rest])
      }
    }
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

function redacted(key: string, value: unknown, depth = 0): unknown {
  if (secretName.test(key)) return '[redacted]'
  if (value instanceof Error) return serializeError(value)
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value
  if (depth === 8) return '[deep]'
  if (Array.isArray(value)) return value.map((item) => redacted('', item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redacted(name, member, depth + 1)]))
}

interface LoggedError {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: LoggedError
}

// Without the properties that drivers attach (bound values, connection strings), and without a Drizzle stack, which
// starts with bound values.
function serializeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const isQuery = error instanceof DrizzleQueryError
  return {
    type: isQuery ? 'DrizzleQueryError' : error.name,
    message: messageOf(error),
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.stack && !isQuery ? { stack: error.stack } : {}),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) })
  }
}
