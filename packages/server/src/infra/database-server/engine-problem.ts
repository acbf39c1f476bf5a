import { AdapterError } from '../adapter-error.ts'

/** Why an engine cannot be used; the reason is for who runs the panel. The drivers' own errors stay here: they carry the statement, and so passwords. */
export function unavailable(engine: string, error: unknown): AdapterError {
  if (error instanceof AdapterError) return error
  return new AdapterError(
    'database-server-unavailable',
    `The ${engine} server cannot be used just now; try again later`,
    {
      reason: reasonOf(error)
    }
  )
}

/** The engine answered and refused: a wrong password, a database that does not exist. The driver's message has no secrets. */
export const databaseRefused = (error: unknown): AdapterError => new AdapterError('database-refused', reasonOf(error))

export const nameExists = (database: string): AdapterError =>
  new AdapterError(
    'database-name-exists',
    `The database server already has a database named ${database}; choose another name`
  )

/** Node's error of several addresses tried has a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
