// Hashes for password.service.ts. Plain JavaScript, since a worker thread is loaded by Node itself, also from the sources.
import { hashSync, verifySync } from '@node-rs/argon2'
import { serveRequests } from '../../infra/worker-thread/serve-requests.mjs'

/** Leaves the event loop nine tenths of a shared core; an idle core is used fully. */
const niceness = 10

serveRequests(
  /** @param {import('./password.service.ts').PasswordWork} work */
  (work) => ({
    answer:
      'cost' in work
        ? // Argon2id is the library's default.
          hashSync(work.password, { memoryCost: work.cost.m, timeCost: work.cost.t, parallelism: 1 })
        : verifySync(work.passwordHash, work.password)
  }),
  niceness
)
