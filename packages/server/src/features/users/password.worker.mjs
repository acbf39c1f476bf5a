// Hashes for password.service.ts. Plain JavaScript, since a worker thread is loaded by Node itself, also from the sources.
import { hashSync, verifySync } from '@node-rs/argon2'
import { serveRequests } from '../../infra/worker-thread/serve-requests.mjs'

/** A tenth of a processor that the event loop wants too, and all of one that nobody wants. */
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
