import { AdapterError } from '../adapter-error.ts'

/** The driver's error is not passed on as cause: it contains the statement and thus passwords. */
export function unavailable(engine: string, error: unknown): AdapterError {
  if (error instanceof AdapterError) return error
  return new AdapterError('database-server-unavailable', `The ${engine} server is unavailable. Try again later.`, {
    reason: reasonOf(error)
  })
}

/** The engine responded and refused, for example a wrong password. The driver's message contains no secrets. */
export const databaseRefused = (error: unknown): AdapterError => new AdapterError('database-refused', reasonOf(error))

export const nameExists = (database: string): AdapterError =>
  new AdapterError(
    'database-name-exists',
    `A database named ${database} already exists on the server. Choose another name.`
  )

/** Node's AggregateError of a connection attempt has a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
