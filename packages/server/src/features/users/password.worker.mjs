// Hashes for password.service.ts. Plain JavaScript, since a worker thread is loaded by Node itself, also from the sources.
import { hashSync, verifySync } from '@node-rs/argon2'
import { serveRequests } from '../../infra/worker-thread/serve-requests.mjs'

// OWASP Password Storage Cheat Sheet: Argon2id (the library's default), 19 MiB, 2 passes, 1 lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A tenth of a processor that the event loop wants too, and all of one that nobody wants. */
const niceness = 10

serveRequests(
  /** @param {import('./password.service.ts').PasswordWork} work */
  ({ password, passwordHash }) => ({
    answer: passwordHash === undefined ? hashSync(password, parameters) : verifySync(passwordHash, password)
  }),
  niceness
)
